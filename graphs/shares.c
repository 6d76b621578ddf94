/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Shares of the devices of a group by their speeds.
 */
#include "range.h"

#include "rates.h"

#include <stdbool.h>

enum {
  MOST_SHARES = 1 << 20, /* of one device, so that the sum stays below 2^24 */
  PAYS_PERCENT = 105,    /* of what the fastest device reaches alone: a group that reaches less does not pay */
  LEAST_PART = 32        /* a device with a smaller part of the speed of all has no share */
};

/* The fastest device by what is known of speeds, the first of several. */
static uint32_t home_of(rp_device *group) {
  uint32_t home = 0;
  for (uint32_t i = 1; i < rp_group_size(group); i++)
    if (rp_device_speed(rp_group_device(group, i)) > rp_device_speed(rp_group_device(group, home))) home = i;
  return home;
}

/* Nothing but the home device if the group does not pay; else without devices that are very slow. */
static void leave_out(rp_device *device, graphs_shares *shares) {
  rp_group_rates rates = {.struct_size = sizeof rates};
  const uint32_t best = rp_device_speed(rp_group_device(device, shares->home));
  uint64_t all = 0;
  if (shares->n == 1 || rp_group_get_rates(device, &rates, NULL) != RP_OK || !rates.together || !best) return;
  const bool pays = (uint64_t)rates.together * 100 >= (uint64_t)best * PAYS_PERCENT;
  for (uint32_t i = 0; i < shares->n; i++) all += shares->of[i];
  for (uint32_t i = 0; i < shares->n; i++)
    if (i != shares->home && (!pays || shares->of[i] < all / LEAST_PART)) shares->of[i] = 0;
}

rp_status graphs_shares_of_all(rp_device *device, graphs_shares *shares, rp_error *err) {
  uint32_t most = 1;
  *shares = (graphs_shares){.n = rp_group_size(device)};
  const rp_status status = shares->n > 1 ? graphs_know_speeds(device, err) : RP_OK;
  if (status != RP_OK) return status;
  shares->home = home_of(device);
  for (uint32_t i = 0; i < shares->n; i++) {
    const uint32_t speed = rp_device_speed(rp_group_device(device, i));
    shares->of[i] = speed ? speed : 1;
    if (shares->of[i] > most) most = shares->of[i];
  }
  for (uint32_t i = 0; i < shares->n; i++) { /* in proportion, the largest becoming MOST_SHARES */
    const uint32_t share = (uint32_t)((uint64_t)shares->of[i] * MOST_SHARES / most);
    shares->of[i] = share ? share : 1;
  }
  return RP_OK;
}

rp_status graphs_shares_of(rp_device *device, graphs_shares *shares, rp_error *err) {
  const rp_status status = graphs_shares_of_all(device, shares, err);
  if (status == RP_OK) leave_out(device, shares);
  return status;
}
