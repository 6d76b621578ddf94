/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * First include of every kernel: what the argument headers of ops/args are written in, the grid, and memory behind
 * addresses. Each entry of a source is compiled to a module of its own, with ENTRY_<name> defined.
 */
#ifndef REPRISE_VULKAN_KERNEL_GLSL
#define REPRISE_VULKAN_KERNEL_GLSL

#extension GL_EXT_buffer_reference : require
#extension GL_EXT_shader_explicit_arithmetic_types_int8 : require
#extension GL_EXT_shader_explicit_arithmetic_types_int32 : require
#extension GL_EXT_shader_explicit_arithmetic_types_int64 : require
#extension GL_EXT_shader_8bit_storage : require
#extension GL_EXT_control_flow_attributes : require

/* Threads a workgroup: rp_kernel.vulkan.group. */
layout(local_size_x_id = 0) in;

/* Members of the argument structs bear these names, which are keywords here: kernels write k.in and k.out. */
#define in rp_in
#define out rp_out
#define RP_ADDR(type) uint64_t
#define RP_ARGS_SIZE(name, bytes)
#define RP_STRUCT(name) name

/* The arguments `k`. Larger ones than fit beside the head come by address (engine/backends/vulkan/state.h). */
#define RP_ARGS(name)                  \
  layout(push_constant, std430) uniform rp_push { \
    uint first_group, n_groups;        \
    name k;                            \
  };
#define RP_ARGS_BY_ADDRESS(name)                                                              \
  layout(buffer_reference, std430, buffer_reference_align = 16) readonly buffer rp_pointed { \
    name v;                                                                                   \
  };                                                                                          \
  layout(push_constant, std430) uniform rp_push {                                             \
    uint first_group, n_groups;                                                               \
    rp_pointed args;                                                                          \
  };

#define GROUP (gl_WorkGroupID.x + first_group)
#define THREAD (gl_LocalInvocationID.x)
#define THREADS (gl_WorkGroupSize.x)
#define INDEX (GROUP * THREADS + THREAD)

layout(buffer_reference, std430, buffer_reference_align = 1) buffer rp_u8 { uint8_t v[]; };
layout(buffer_reference, std430, buffer_reference_align = 4) buffer rp_u32 { uint v[]; };
layout(buffer_reference, std430, buffer_reference_align = 8) buffer rp_u64 { uvec2 v[]; };
layout(buffer_reference, std430, buffer_reference_align = 16) buffer rp_u128 { uvec4 v[]; };

uint load_u32(uint64_t array, uint i) { return rp_u32(array + 4ul * i).v[0]; }
void store_u32(uint64_t array, uint i, uint x) { rp_u32(array + 4ul * i).v[0] = x; }

#endif
