/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * What is known of the devices of a group (rp_device_speed, rp_group_rates), with what is unknown measured. Devices
 * that are alike and have hardware of their own are measured once for all.
 */
#ifndef REPRISE_GRAPHS_RATES_H
#define REPRISE_GRAPHS_RATES_H

#include <reprise/group.h>

/* Measures the speeds that are unknown, and if there are any, what the devices reach together. Nothing is measured if
 * all speeds are known, or none and the devices are alike and apart: their speeds stay unknown then. */
rp_status graphs_know_speeds(rp_device *group, rp_error *err);

/* All rates. `home` is the device from which links are measured. */
rp_status graphs_know_rates(rp_device *group, uint32_t home, rp_group_rates *rates, rp_error *err);

#endif
