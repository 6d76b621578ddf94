/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "rates.h"

#include "measure.h"
#include "threads/parallel.h"

#include <stdbool.h>
#include <string.h>

static bool are_alike(rp_device *group) {
  rp_device_info first = {.struct_size = sizeof first};
  rp_device_get_info(rp_group_device(group, 0), &first);
  for (uint32_t i = 1; i < rp_group_size(group); i++) {
    rp_device_info other = {.struct_size = sizeof other};
    rp_device_get_info(rp_group_device(group, i), &other);
    if (other.kind != first.kind || other.limits.workers != first.limits.workers ||
        strcmp(other.name, first.name) != 0 || strcmp(other.driver, first.driver) != 0)
      return 0;
  }
  return 1;
}

/* Whether devices that are alike do not slow each other down: CPU devices that have a processor for each thread, and
 * GPUs that are not the same one. */
static bool are_apart(rp_device *group) {
  uint64_t indices = 0, threads = 0;
  for (uint32_t i = 0; i < rp_group_size(group); i++) {
    rp_device_info info = {.struct_size = sizeof info};
    rp_device_get_info(rp_group_device(group, i), &info);
    if (info.kind == RP_DEVICE_CPU) {
      threads += info.limits.workers;
      continue;
    }
    if (info.index >= 64 || indices >> info.index & 1) return 0;
    indices |= UINT64_C(1) << info.index;
  }
  return threads <= support_processors();
}

/* ---- Products ---------------------------------------------------------------------------------------------------- */

static rp_status measure_products(rp_device *group, uint32_t index, const graphs_samples *samples,
                                  rp_group_rates *rates, uint32_t *log_n, rp_error *err) {
  graphs_product_times times = {0};
  rp_device *device = rp_group_device(group, index);
  const rp_status status = graphs_measure_products(device, samples, &times, err);
  if (status != RP_OK) return status;
  if (!rates->products[index]) rates->products[index] = times.rate;
  if (!rates->product_us[index]) rates->product_us[index] = times.fixed_us;
  if (!rp_device_speed(device)) rp_device_set_speed(device, times.speed);
  *log_n = times.log_n;
  return RP_OK;
}

static rp_status measure_speeds(rp_device *group, rp_group_rates *rates, rp_error *err) {
  uint32_t log_n[RP_GROUP_MOST];
  graphs_samples *samples;
  rp_status status = graphs_samples_open(rp_device_context(group), &samples, err);
  for (uint32_t i = 0; i < rp_group_size(group) && status == RP_OK; i++)
    status = measure_products(group, i, samples, rates, &log_n[i], err);
  if (status == RP_OK && !rates->together)
    status = graphs_measure_together(group, samples, log_n, &rates->together, err);
  graphs_samples_close(samples);
  return status;
}

rp_status graphs_know_speeds(rp_device *group, rp_error *err) {
  uint32_t known = 0;
  const uint32_t n = rp_group_size(group);
  for (uint32_t i = 0; i < n; i++) known += rp_device_speed(rp_group_device(group, i)) != 0;
  if (known == n || (!known && are_alike(group) && are_apart(group))) return RP_OK;
  rp_group_rates rates = {.struct_size = sizeof rates};
  rp_status status = rp_group_get_rates(group, &rates, err);
  if (status == RP_OK) status = measure_speeds(group, &rates, err);
  return status == RP_OK ? rp_group_set_rates(group, &rates, err) : status;
}

/* ---- All --------------------------------------------------------------------------------------------------------- */

static rp_status know_products(rp_device *group, uint32_t n_measured, rp_group_rates *rates, rp_error *err) {
  graphs_samples *samples = NULL;
  rp_status status = RP_OK;
  for (uint32_t i = 0; i < n_measured && status == RP_OK; i++) {
    graphs_product_times times = {0};
    if (rates->products[i] && rates->product_us[i]) continue;
    if (!samples) status = graphs_samples_open(rp_device_context(group), &samples, err);
    if (status == RP_OK) status = graphs_measure_products(rp_group_device(group, i), samples, &times, err);
    if (!rates->products[i]) rates->products[i] = times.rate;
    if (!rates->product_us[i]) rates->product_us[i] = times.fixed_us;
  }
  graphs_samples_close(samples);
  return status;
}

static rp_status know_transforms(rp_device *group, uint32_t n_measured, rp_group_rates *rates, rp_error *err) {
  rp_status status = RP_OK;
  for (uint32_t i = 0; i < n_measured && status == RP_OK; i++)
    if (!rates->transforms[i])
      status = graphs_measure_transforms(rp_group_device(group, i), &rates->transforms[i], err);
  return status;
}

/* Of alike devices, one link stands for all. */
static rp_status know_links(rp_device *group, uint32_t home, bool alike, rp_group_rates *rates, rp_error *err) {
  rp_status status = RP_OK;
  uint32_t one = 0;
  rates->links[home] = UINT32_MAX;
  for (uint32_t i = 0; i < rp_group_size(group) && status == RP_OK; i++) {
    if (!rates->links[i] && alike) rates->links[i] = one;
    if (!rates->links[i]) status = graphs_measure_link(group, home, i, &rates->links[i], err);
    if (i != home) one = rates->links[i];
  }
  return status;
}

static void copy_first(uint32_t *rates, uint32_t n) {
  for (uint32_t i = 1; i < n; i++)
    if (!rates[i]) rates[i] = rates[0];
}

static uint32_t sum(const uint32_t *rates, uint32_t n) {
  uint64_t all = 0;
  for (uint32_t i = 0; i < n; i++) all += rates[i];
  return all < UINT32_MAX ? (uint32_t)all : UINT32_MAX;
}

rp_status graphs_know_rates(rp_device *group, uint32_t home, rp_group_rates *rates, rp_error *err) {
  const uint32_t n = rp_group_size(group);
  const bool alike = are_alike(group) && are_apart(group);
  *rates = (rp_group_rates){.struct_size = sizeof *rates};
  rp_status status = rp_group_get_rates(group, rates, err);
  if (status == RP_OK) status = know_products(group, alike ? 1 : n, rates, err);
  if (status == RP_OK) status = know_transforms(group, alike ? 1 : n, rates, err);
  if (status == RP_OK) status = know_links(group, home, alike, rates, err);
  if (status != RP_OK) return status;
  copy_first(rates->products, n);
  copy_first(rates->product_us, n);
  copy_first(rates->transforms, n);
  if (alike && !rp_device_speed(rp_group_device(group, 0)) && !rates->together)
    rates->together = sum(rates->products, n);
  return rp_group_set_rates(group, rates, err);
}
