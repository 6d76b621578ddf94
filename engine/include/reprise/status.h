/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Reprise, tier 1: what calls return, a status and a reason. Calling rules: reprise.h.
 */
#ifndef REPRISE_STATUS_H
#define REPRISE_STATUS_H

#include <reprise/attributes.h>

#ifdef __cplusplus
extern "C" {
#endif

/* X(enumerator, value, short text) */
#define RP_STATUS_LIST(X)                                               \
  X(RP_OK, 0, "ok")                                                     \
  X(RP_ERR_ARGUMENT, 1, "argument not allowed")                         \
  X(RP_ERR_TYPE, 2, "element type does not fit")                        \
  X(RP_ERR_SHAPE, 3, "length does not fit")                             \
  X(RP_ERR_STATE, 4, "call not possible in this state")                 \
  X(RP_ERR_MEMORY, 5, "out of host memory")                             \
  X(RP_ERR_DEVICE_MEMORY, 6, "out of device memory")                    \
  X(RP_ERR_BUDGET, 7, "does not fit the memory budget")                 \
  X(RP_ERR_DEVICE_LOST, 8, "device lost")                               \
  X(RP_ERR_UNAVAILABLE, 9, "device or driver not available")            \
  X(RP_ERR_UNSUPPORTED, 10, "not supported by this device")             \
  X(RP_ERR_INPUT, 11, "a value given to the run is out of range")       \
  X(RP_ERR_FILE, 12, "file cannot be read or written")                  \
  X(RP_ERR_FORMAT, 13, "file is damaged or not of the expected format") \
  X(RP_ERR_MISMATCH, 14, "inputs do not belong together")               \
  X(RP_ERR_VERIFY, 15, "proof does not verify")                         \
  X(RP_ERR_CANCELLED, 16, "cancelled")                                  \
  X(RP_ERR_TIMEOUT, 17, "not finished within the time given")           \
  X(RP_ERR_BUSY, 18, "no run can begin now")                            \
  X(RP_ERR_BUFFER_TOO_SMALL, 19, "caller's buffer is too small")        \
  X(RP_ERR_INTERNAL, 20, "internal check failed")

typedef enum RP_CHECKED_TYPE rp_status {
#define RP_STATUS_ENUM(name, value, text) name = value,
  RP_STATUS_LIST(RP_STATUS_ENUM)
#undef RP_STATUS_ENUM
} rp_status;

/* The enumerator's name ("RP_ERR_INPUT") and its short text. Never NULL, not even for a number that is not a status. */
RP_API const char *rp_status_name(rp_status status);
RP_API const char *rp_status_text(rp_status status);

/* The status of a failed call, and a reason that a person can act on, which ends with NUL. The caller provides the
 * memory. */
typedef struct rp_error {
  rp_status status;
  char reason[508];
} rp_error;

#ifdef __cplusplus
}
#endif

#endif
