/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Reprise, what the code of a kernel needs: its signature on the CPU, its argument struct, and how it reports a fault.
 * The built-in kernels include nothing else of the library. op.h, which includes this header, says how a kernel becomes
 * part of an operation. Calling rules: reprise.h.
 */
#ifndef REPRISE_KERNEL_H
#define REPRISE_KERNEL_H

#include <reprise/attributes.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Kernels for the CPU ----------------------------------------------------------------------------------------- */

/* What a CPU kernel knows of the thread that it runs on. Within one run, two calls with the same worker index never
 * overlap. */
typedef struct rp_cpu_worker {
  uint32_t index; /* below count */
  uint32_t count; /* workers of the device (rp_device_limits) */
} rp_cpu_worker;

/* Computes items [begin, end) of the dispatch. `args` is the argument struct of the dispatch with the addresses filled
 * in. Items may be computed in any order and at the same time. Kernels must not allocate, block or print. The field and
 * curve functions of host.h do none of these; they are plain and portable, and only those whose name ends in _ct take
 * time that does not depend on values. */
typedef void (*rp_cpu_fn)(const void *args, uint64_t begin, uint64_t end, const rp_cpu_worker *worker);

/* ---- Argument structs -------------------------------------------------------------------------------------------- */

/* An argument struct is best defined in a header of its own, which C, CUDA C and GLSL read unchanged; this library has
 * one for each kernel. The struct begins with its addresses, one per bind in the order of the binds, each 8 bytes;
 * 32-bit integers follow. The engine fills in the addresses. */
#if defined(__STDC__) || defined(__cplusplus)
#define RP_ADDR(type) type *
#define RP_ARGS_SIZE(name, bytes) RP_STATIC_ASSERT(sizeof(name) == (bytes), #name " has padding")
#ifdef __cplusplus
#define RP_STATIC_ASSERT static_assert
#else
#define RP_STATIC_ASSERT _Static_assert
#endif
#endif

/* ---- Faults ------------------------------------------------------------------------------------------------------ */

/* Every run has an error record in device memory. A kernel that finds bad data (a scalar out of range, a zero where
 * none is allowed) changes `code` from 0 with a compare-and-swap and, if it was the first to do so, sets the other
 * fields. The run then ends with RP_ERR_INPUT, with a reason that names the fault, the element and the node, and its
 * outputs are not released. Operations outside this library use codes from RP_FAULT_USER on; the reason shows the
 * number. */
typedef struct rp_error_record {
  uint32_t code;               /* rp_fault; 0: none */
  uint32_t node;               /* the number passed in the kernel's arguments, see rp_lower_site */
  uint32_t index_lo, index_hi; /* index of the bad element */
} rp_error_record;

/* For CPU kernels: records a fault unless the run has one already. `site` is what rp_lower_site returned. */
RP_API void rp_fault_report(rp_error_record *record, uint32_t code, uint32_t site, uint64_t index);

/* X(enumerator, value, text); the text is completed with node and index */
#define RP_FAULT_LIST(X)                                                     \
  X(RP_FAULT_NONE, 0, "none")                                                \
  X(RP_FAULT_NOT_CANONICAL, 1, "value is not below the field's modulus")     \
  X(RP_FAULT_SCALAR_RANGE, 2, "scalar is not below the group order")         \
  X(RP_FAULT_ZERO, 3, "zero has no inverse (strict)")                        \
  X(RP_FAULT_NOT_ON_CURVE, 4, "point is not on the curve")                   \
  X(RP_FAULT_NOT_IN_SUBGROUP, 5, "point is not in the prime-order subgroup") \
  X(RP_FAULT_ENCODING, 6, "encoding is not valid")                           \
  X(RP_FAULT_INDEX, 7, "index is out of range")                              \
  X(RP_FAULT_USER, 64, "fault of a user's op")

typedef enum rp_fault {
#define RP_FAULT_ENUM(name, value, text) name = value,
  RP_FAULT_LIST(RP_FAULT_ENUM)
#undef RP_FAULT_ENUM
} rp_fault;

#ifdef __cplusplus
}
#endif
#endif
