/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * First include of every kernel: the macros that the argument headers (ops/<family>/..._args.h) use, the grid, and
 * access to memory by address. Each entry of a source is compiled to a module of its own, with ENTRY_<name> defined.
 */
#ifndef REPRISE_VULKAN_KERNEL_GLSL
#define REPRISE_VULKAN_KERNEL_GLSL

#extension GL_EXT_buffer_reference : require
#extension GL_EXT_shader_explicit_arithmetic_types_int8 : require
#extension GL_EXT_shader_explicit_arithmetic_types_int32 : require
#extension GL_EXT_shader_8bit_storage : require
#extension GL_EXT_control_flow_attributes : require
/* Every kernel is compiled in a form for any device; some are compiled once more with 64-bit integers, which are faster
 * on some devices. */
#if RP_INT64
#extension GL_EXT_shader_explicit_arithmetic_types_int64 : require
#define addr uint64_t
#else
#extension GL_EXT_buffer_reference_uvec2 : require
#define addr uvec2
#endif

/* Threads per workgroup: rp_kernel.vulkan.group. */
layout(local_size_x_id = 0) in;

/* Members of the argument structs have these names, which are keywords in GLSL: kernels write k.in and k.out. */
#define in rp_in
#define out rp_out
#define RP_ADDR(type) addr
#define RP_ARGS_SIZE(name, bytes)
#define RP_STRUCT(name) name

/* Declares the arguments `k`. Structs that do not fit after the head of the push constants are passed by address
 * (engine/backends/vulkan/state.h). */
#define RP_ARGS(name)                             \
  layout(push_constant, std430) uniform rp_push { \
    uint first_group, n_groups;                   \
    name k;                                       \
  };
#define RP_ARGS_BY_ADDRESS(name)                                                                        \
  layout(buffer_reference, std430, buffer_reference_align = 16) readonly buffer rp_pointed { name v; }; \
  layout(push_constant, std430) uniform rp_push {                                                       \
    uint first_group, n_groups;                                                                         \
    rp_pointed args;                                                                                    \
  };

#define GROUP (gl_WorkGroupID.x + first_group)
#define THREAD (gl_LocalInvocationID.x)
#define THREADS (gl_WorkGroupSize.x)
#define INDEX (GROUP * THREADS + THREAD)

layout(buffer_reference, std430, buffer_reference_align = 1) buffer rp_u8 { uint8_t v[]; };
layout(buffer_reference, std430, buffer_reference_align = 4) buffer rp_u32 { uint v[]; };
layout(buffer_reference, std430, buffer_reference_align = 8) buffer rp_u64 { uvec2 v[]; };
layout(buffer_reference, std430, buffer_reference_align = 16) buffer rp_u128 { uvec4 v[]; };

/* address_of: the address that two words in memory hold. at: base + i * bytes. low_word: the low 32 bits of a. */
#if RP_INT64
addr address_of(uvec2 words) { return packUint2x32(words); }
addr at(addr base, uint i, uint bytes) { return base + uint64_t(bytes) * i; }
uint low_word(addr a) { return uint(a); }
#else
addr address_of(uvec2 words) { return words; }
addr at(addr base, uint i, uint bytes) {
  uint high, low;
  umulExtended(i, bytes, high, low);
  base.x += low;
  base.y += high + uint(base.x < low);
  return base;
}
uint low_word(addr a) { return a.x; }
#endif

uint load_u32(addr array, uint i) { return rp_u32(at(array, i, 4)).v[0]; }
void store_u32(addr array, uint i, uint x) { rp_u32(at(array, i, 4)).v[0] = x; }

#endif
