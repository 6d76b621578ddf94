/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Reprise, tier 3: multi-scalar multiplication over keys that are larger than a device's memory, and over several
 * devices, after cuZK (docs/sources.md), built only on the public API of tiers 1 and 2. Calling rules: reprise.h.
 *
 * Scalars are canonical U256 integers below the group order (else RP_ERR_INPUT). Points are affine in memory form;
 * infinity is allowed. A result is one affine point. Scalars are treated as secret: device memory that held them is
 * wiped.
 */
#ifndef REPRISE_MSM_H
#define REPRISE_MSM_H

#include <reprise/ops.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Streaming --------------------------------------------------------------------------------------------------- */

/* A product is cut into chunks that fit the budget. `in_flight` chunks are on the device at once: while one is
 * computed, the points of the next one are written and uploaded, even if it belongs to another product. The memory of a
 * chunk is reused as soon as the chunk has been computed, so that the device never holds more than the plan says,
 * however large the key is. */
typedef struct rp_msm_stream rp_msm_stream;

typedef struct rp_msm_stream_options {
  uint32_t struct_size;
  uint32_t in_flight;           /* chunks on the device at once; 0: 2 */
  uint64_t chunk;               /* points per chunk; 0: as many as fit the budget, a power of two or all */
  uint64_t memory_budget_bytes; /* device memory for this stream; 0: what the device has left */
} rp_msm_stream_options;

typedef struct rp_msm_stream_info {
  uint32_t struct_size;
  uint64_t chunk, chunks; /* points per chunk; chunks of a product of max_points points */
  uint64_t key_bytes;     /* size of max_points points */
  uint64_t device_bytes;  /* device memory of the stream, with all chunks in flight */
} rp_msm_stream_info;

/* RP_ERR_BUDGET if no chunk fits; the reason says what the smallest takes. */
RP_API RP_CHECKED rp_status rp_msm_stream_create(rp_device *device, rp_curve curve, uint64_t max_points,
                                                 const rp_msm_stream_options *options, rp_msm_stream **stream,
                                                 rp_error *err);
/* The memory that a stream would take; nothing is allocated on the device. RP_ERR_BUDGET: *info has the figures for the
 * chunk size that takes least; its device_bytes is a budget that is accepted, and so is every larger one. After any
 * other failure *info is zero. */
RP_API RP_CHECKED rp_status rp_msm_stream_plan(rp_device *device, rp_curve curve, uint64_t max_points,
                                               const rp_msm_stream_options *options, rp_msm_stream_info *info,
                                               rp_error *err);
RP_API void rp_msm_stream_destroy(rp_msm_stream *stream);
RP_API void rp_msm_stream_get_info(const rp_msm_stream *stream, rp_msm_stream_info *info);

typedef struct rp_msm_job {
  rp_msm_stream *stream; /* several jobs may share one */
  const void *scalars;   /* n, 32 bytes each */
  const void *points;    /* n; read once, and not after the call has returned */
  uint64_t n;            /* at most max_points; 0 gives the identity */
  void *result;          /* one affine point */
} rp_msm_job;
typedef struct rp_msm_job_counters {
  uint32_t struct_size;
  uint64_t chunks;     /* submissions */
  uint64_t bytes_up;   /* uploaded to the devices */
  uint64_t overlapped; /* chunks whose points were written while another chunk was on its device */
  uint64_t elapsed_ns;
} rp_msm_job_counters;
/* Computes the products of the jobs in order, the chunks of each job following those of the one before. On failure no
 * result is written. RP_ERR_SHAPE: n of a job is above max_points. counters may be NULL. May be called from several
 * threads with the same streams. */
RP_API RP_CHECKED rp_status rp_msm_stream_run(const rp_msm_job *jobs, uint32_t n_jobs, rp_msm_job_counters *counters,
                                              rp_error *err);

/* ---- Several devices --------------------------------------------------------------------------------------------- */

/* What is distributed: windows, of which each device gets consecutive ones, or points. */
typedef enum rp_msm_split {
  RP_MSM_SPLIT_CEIL = 0,  /* ceil(windows / devices) each; the last devices get the rest, as in cuZK's code */
  RP_MSM_SPLIT_EVEN = 1,  /* numbers of windows that differ by at most one, the larger ones first */
  RP_MSM_SPLIT_POINTS = 2 /* points by the devices' speeds (rp_device_speed): each device takes, sorts and sums its own,
                             with all windows, and the first one adds a point from each. This is the fastest */
} rp_msm_split;
/* Device `index` of `devices` gets windows [*first, *first + *count). Returns true; or false, with a count of 0, if
 * an argument is out of range or windows are not what is split. */
RP_API bool rp_msm_partition(rp_msm_split split, uint32_t windows, uint32_t devices, uint32_t index, uint32_t *first,
                             uint32_t *count);

/* One product over several devices, which may be of different kinds. If windows are split, each device holds all points
 * and takes all scalars. If points are split, each holds its own, and the product is one graph for the group of these
 * devices (group.h): at most RP_GROUP_MOST, all different. */
typedef struct rp_msm_group rp_msm_group;
typedef struct rp_msm_group_options {
  uint32_t struct_size;
  rp_msm_split split;
  uint32_t window_bits; /* 0: what suits the first device; split by points: each device */
  uint32_t tables;      /* split by points: 1 keeps multiples of the points on GPUs, so that windows share buckets */
} rp_msm_group_options;
/* The caller keeps `points` unchanged as long as the group lives. n_devices is 1 to 64. */
RP_API RP_CHECKED rp_status rp_msm_group_create(rp_device *const *devices, uint32_t n_devices, rp_curve curve,
                                                const void *points, uint64_t n, const rp_msm_group_options *options,
                                                rp_msm_group **group, rp_error *err);
RP_API void rp_msm_group_destroy(rp_msm_group *group);
/* Number of windows of device `index`; 0 if points are split. */
RP_API uint32_t rp_msm_group_windows(const rp_msm_group *group, uint32_t index);
/* scalars: n, 32 bytes each; result: one affine point, not written on failure. */
RP_API RP_CHECKED rp_status rp_msm_group_run(rp_msm_group *group, const void *scalars, void *result, rp_error *err);

#ifdef __cplusplus
}
#endif
#endif
