/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * What each device of a group gets of an array.
 */
#ifndef REPRISE_GRAPHS_RANGE_H
#define REPRISE_GRAPHS_RANGE_H

#include <reprise/group.h>

typedef struct graphs_range {
  uint64_t first, count;
} graphs_range;

/* The shares of the devices of a group, in any unit, with a sum from 1 to 2^24. */
typedef struct graphs_shares {
  uint32_t n; /* devices */
  uint32_t of[RP_GROUP_MOST];
  uint32_t home; /* the device that has what is not cut */
} graphs_shares;
#define GRAPHS_WHOLE ((graphs_shares){.n = 1, .of = {1}})

/* Shares by the speeds of a group's devices (rp_device_speed), equal ones if the devices are alike, have hardware of
 * their own, and nobody has set speeds. Otherwise measures the devices whose speed is unknown, by products of 2^10 to
 * 2^18 points, and then all at once: that is done once for a device, takes about a tenth of a second, and needs device
 * memory for the time. The home is the fastest device. Where it is known what the devices reach together
 * (rp_group_rates.together), those that do not make that more have no share. Of a device that is not a group:
 * GRAPHS_WHOLE. */
rp_status graphs_shares_of(rp_device *device, graphs_shares *shares, rp_error *err);

/* The same, but every device has a share. */
rp_status graphs_shares_of_all(rp_device *device, graphs_shares *shares, rp_error *err);

/* The part of device `index` of n elements in order; every part but the last that has any ends at a multiple of
 * `align`. A part may be empty, and that of a device without a share is. n is below 2^40. */
static inline graphs_range graphs_range_of(uint64_t n, const graphs_shares *shares, uint32_t index, uint64_t align) {
  uint64_t before = 0, all = 0, at[2];
  for (uint32_t d = 0; d < shares->n; d++) {
    before += d < index ? shares->of[d] : 0;
    all += shares->of[d];
  }
  for (uint32_t i = 0; i < 2; i++) {
    const uint64_t until = before + (i ? shares->of[index] : 0);
    at[i] = until >= all ? n : n * until / all / align * align;
  }
  return (graphs_range){.first = at[0], .count = at[1] - at[0]};
}

#endif
