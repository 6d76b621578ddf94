/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Reprise, tier 3: batched inversion of field elements in one call, built only on the public API of tiers 1 and 2.
 * Calling rules: reprise.h. Inside a graph, use the operation rp_batch_inverse.
 *
 * Elements are in memory form (types.h), fully reduced, of any field of the library (rp_field). `in` and `out` are the
 * same array or do not overlap. n = 0 does nothing. The inverse of 0 is 0 unless RP_ZERO_STRICT is set.
 */
#ifndef REPRISE_INVERSE_H
#define REPRISE_INVERSE_H

#include <reprise/ops.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Where n elements are inverted ------------------------------------------------------------------------------- */

typedef enum rp_inverse_route {
  RP_INVERSE_ROUTE_AUTO = 0,     /* by the table of the device */
  RP_INVERSE_ROUTE_ELEMENTS = 1, /* on the host, one inversion per element */
  RP_INVERSE_ROUTE_CHAIN = 2,    /* on the host, one inversion for all elements */
  RP_INVERSE_ROUTE_DEVICE = 3    /* on the device, by a graph */
} rp_inverse_route;

/* The thresholds of a device, measured (docs/sources.md). Fewer than `chain` elements are inverted one by one, `device`
 * or more on the device, and numbers in between by one chain. For a call that must record its graph first, device_once
 * is used instead of `device`. */
typedef struct rp_inverse_table {
  uint64_t chain, device, device_once;
} rp_inverse_table;
RP_API rp_inverse_table rp_batch_inv_table(rp_device_kind device);

typedef struct rp_batch_inv_options {
  uint32_t struct_size;
  rp_zero_policy zero;    /* RP_ZERO_STRICT: RP_ERR_INPUT if there is a zero, and nothing is written */
  uint8_t *zero_mask;     /* not NULL: n bytes, 1 where the element was zero */
  uint32_t constant_time; /* 1: for secrets, as in rp_batch_inverse_options; a zero that is refused is still revealed */
  rp_inverse_route route; /* forces a route; the result is the same on all */
  const rp_inverse_table *table; /* not NULL: replaces the table of the device */
} rp_batch_inv_options;
/* The route that AUTO takes for n elements. */
RP_API rp_inverse_route rp_batch_inv_route(rp_device_kind device, uint64_t n, const rp_batch_inv_options *options);

/* ---- One call ---------------------------------------------------------------------------------------------------- */

/* out[i] = 1 / in[i] for n elements of `field`. On the device, the call records a graph and runs it once.
 * RP_ERR_INPUT: there is a zero, with RP_ZERO_STRICT. */
RP_API RP_CHECKED rp_status rp_batch_inv(rp_device *device, rp_field field, const void *in, void *out, uint64_t n,
                                         const rp_batch_inv_options *options, rp_error *err);
/* The same for secret elements: constant_time is set. */
RP_API RP_CHECKED rp_status rp_batch_inv_ct(rp_device *device, rp_field field, const void *in, void *out, uint64_t n,
                                            const rp_batch_inv_options *options, rp_error *err);
/* For one field each, with the defaults. Banderwagon's base field is BLS12-381 Fr. */
RP_API RP_CHECKED rp_status rp_secp256k1_batch_inv_fp(rp_device *device, const void *in, void *out, uint64_t n,
                                                      rp_error *err);
RP_API RP_CHECKED rp_status rp_bn254_batch_inv_fr(rp_device *device, const void *in, void *out, uint64_t n,
                                                  rp_error *err);
RP_API RP_CHECKED rp_status rp_bls12_381_batch_inv_fp(rp_device *device, const void *in, void *out, uint64_t n,
                                                      rp_error *err);
RP_API RP_CHECKED rp_status rp_banderwagon_batch_inv(rp_device *device, const void *in, void *out, uint64_t n,
                                                     rp_error *err);

/* ---- Recorded once, replayed ------------------------------------------------------------------------------------- */

/* Inverts n elements of a field as often as wanted. The route is chosen with `device` of the table, not with
 * device_once. One thread at a time. n = 0 is refused. zero_mask of the options is not used; each run has its own. */
typedef struct rp_inverter rp_inverter;
RP_API RP_CHECKED rp_status rp_inverter_create(rp_device *device, rp_field field, uint64_t n,
                                               const rp_batch_inv_options *options, rp_inverter **inverter,
                                               rp_error *err);
RP_API rp_inverse_route rp_inverter_route(const rp_inverter *inverter);
/* zero_mask may be NULL. */
RP_API RP_CHECKED rp_status rp_inverter_run(rp_inverter *inverter, const void *in, void *out, uint8_t *zero_mask,
                                            rp_error *err);
RP_API void rp_inverter_destroy(rp_inverter *inverter);

#ifdef __cplusplus
}
#endif
#endif
