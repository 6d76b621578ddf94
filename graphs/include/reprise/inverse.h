/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Reprise, tier 3: batched inversion of field elements in one call, built on the public API of tiers 1 and 2
 * alone. Calling rules: reprise.h. Inside a graph the operation is rp_batch_inverse.
 *
 * Elements are in memory form: little-endian Montgomery limbs with R = 2^256 or 2^384 (types.h), fully reduced. `in`
 * and `out` may be the same array, or must not overlap. n = 0 does nothing. 1 / 0 is 0 unless strict. The field is the
 * library's id (rp_field); any field of the library is taken.
 */
#ifndef REPRISE_INVERSE_H
#define REPRISE_INVERSE_H

#include <reprise/ops.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Where n elements are inverted ------------------------------------------------------------------------------- */

typedef enum rp_inverse_route {
  RP_INVERSE_ROUTE_AUTO = 0,     /* by the device's table */
  RP_INVERSE_ROUTE_ELEMENTS = 1, /* on the host, an inversion for each element */
  RP_INVERSE_ROUTE_CHAIN = 2,    /* on the host, one chain with one inversion */
  RP_INVERSE_ROUTE_DEVICE = 3    /* blocks on the device, a graph */
} rp_inverse_route;

/* A device's table, measured (docs/sources.md): below `chain` elements each is inverted by itself, from `device` on the
 * device does it; `device_once`: the same for a call that has to record its graph first. */
typedef struct rp_inverse_table {
  uint64_t chain, device, device_once;
} rp_inverse_table;
RP_API rp_inverse_table rp_batch_inv_table(rp_device_kind device);

typedef struct rp_batch_inv_options {
  uint32_t struct_size;
  rp_zero_policy zero;    /* RP_ZERO_STRICT: RP_ERR_INPUT if there is a zero, and nothing is written */
  uint8_t *zero_mask;     /* not NULL: n bytes, 1 where the element was zero */
  uint32_t constant_time; /* 1: for secrets, as in rp_batch_inverse_options; that there is a strict zero is told */
  rp_inverse_route route; /* forces one; no choice changes a byte of the result */
  const rp_inverse_table *table; /* not NULL: instead of the device's */
} rp_batch_inv_options;
/* The route that AUTO takes for n elements. */
RP_API rp_inverse_route rp_batch_inv_route(rp_device_kind device, uint64_t n, const rp_batch_inv_options *options);

/* ---- One call ---------------------------------------------------------------------------------------------------- */

RP_API RP_CHECKED rp_status rp_batch_inv(rp_device *device, rp_field field, const void *in, void *out, uint64_t n,
                                         const rp_batch_inv_options *options, rp_error *err);
/* The same for secret elements: constant_time is set. */
RP_API RP_CHECKED rp_status rp_batch_inv_ct(rp_device *device, rp_field field, const void *in, void *out, uint64_t n,
                                            const rp_batch_inv_options *options, rp_error *err);
/* By name, with the defaults. Banderwagon's base field is BLS12-381 Fr. */
RP_API RP_CHECKED rp_status rp_secp256k1_batch_inv_fp(rp_device *device, const void *in, void *out, uint64_t n,
                                                      rp_error *err);
RP_API RP_CHECKED rp_status rp_bn254_batch_inv_fr(rp_device *device, const void *in, void *out, uint64_t n,
                                                  rp_error *err);
RP_API RP_CHECKED rp_status rp_bls12_381_batch_inv_fp(rp_device *device, const void *in, void *out, uint64_t n,
                                                      rp_error *err);
RP_API RP_CHECKED rp_status rp_banderwagon_batch_inv(rp_device *device, const void *in, void *out, uint64_t n,
                                                     rp_error *err);

/* ---- Recorded once, replayed ------------------------------------------------------------------------------------- */

/* Inverts n elements of a field, as often as wanted; the routes are those of the table's `device`. One thread at a
 * time. n = 0 is refused here: there is nothing to record. options: zero_mask is given at each run instead. */
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
