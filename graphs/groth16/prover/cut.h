/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * How a proof is cut among the devices of a group. There are several ways: the transforms of A, B and C onto the coset
 * on one device or on several; and the product of H by points, as the products with the witness, or whole on the device
 * that has computed h. A model predicts the time of each from the rates of the devices, and the fastest is taken
 * (docs/notes/groups.md).
 */
#ifndef REPRISE_GROTH16_CUT_H
#define REPRISE_GROTH16_CUT_H

#include "key.h"
#include "range.h"

enum { G16_CHAINS = 3 }; /* A, B, C: an inverse transform, and one onto the coset */

typedef struct g16_cut {
  graphs_shares shares;       /* of the points; the home device has the rest of the quotient, and adds the sums */
  uint32_t chain[G16_CHAINS]; /* the device of each; the home device for keys of gnark, whose transforms are others */
  bool upload_apart;          /* the home device has the last scalars, which arrive there before the others do */
  bool h_whole;               /* the product of H is on the home device, and is not cut by shares */
} g16_cut;
#define G16_UNCUT ((g16_cut){.shares = GRAPHS_WHOLE})

/* ---- The model --------------------------------------------------------------------------------------------------- */

/* What a proof consists of. Points are counted as points of BN254's G1 that take as long. */
typedef struct g16_work {
  double butterflies;             /* of one transform */
  double bytes;                   /* of the elements of one transform */
  double witness, h;              /* points of the products with the witness, and of H */
  double products_fixed, h_fixed; /* products whose fixed time counts, likewise */
  bool chains;                    /* they can be on several devices */
} g16_work;
g16_work g16_work_of(const rp_groth16_key *key, rp_device_kind kind);

/* What the devices reach. */
typedef struct g16_rates {
  uint32_t n, home;
  double points[RP_GROUP_MOST];      /* per microsecond; 0: the device has no part of anything */
  double product_us[RP_GROUP_MOST];  /* fixed */
  double butterflies[RP_GROUP_MOST]; /* per microsecond */
  double bytes[RP_GROUP_MOST];       /* per microsecond, between the device and the home */
  bool may_leave_out;                /* a device with which a proof would not be done sooner has no part */
} g16_rates;

/* Chooses shares for this way, so that all devices are done at the same time, and returns the predicted time in
 * microseconds. `cut` has the way, and in shares.of 0 for devices that are to have no points, else 1.
 * busy_us: the time that each device computes; may be NULL. */
double g16_cut_predict(const g16_rates *rates, const g16_work *work, g16_cut *cut, double busy_us[RP_GROUP_MOST]);
/* The fastest way by the model; another than the usual one only if it is faster by 2 percent. */
g16_cut g16_cut_choose(const g16_rates *rates, const g16_work *work);

/* ---- Of a device ------------------------------------------------------------------------------------------------- */

/* The cut for a device, which may be a group, whose rates are measured if they are unknown. percent: not 0 fixes what
 * the first device has of the points; it is the home then, and the way is the usual one. */
rp_status g16_cut_for(rp_device *device, const rp_groth16_key *key, uint32_t percent, g16_cut *cut, rp_error *err);

#endif
