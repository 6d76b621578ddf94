/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Reprise, tier 3: multi-scalar multiplication over keys that are larger than a device's memory, and over several
 * devices (the cuZK source), built on the public API of tiers 1 and 2 alone. Calling rules: reprise.h.
 *
 * Scalars are U256 canonical below the group order (else RP_ERR_INPUT); points affine in memory form, infinity allowed;
 * a result is one affine point. Scalars count as secret: what held them on a device is wiped.
 */
#ifndef REPRISE_MSM_H
#define REPRISE_MSM_H

#include <reprise/ops.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Streaming --------------------------------------------------------------------------------------------------- */

/* A product is cut into chunks that fit the budget. `in_flight` chunks are on the device at once: while one is
 * computed, the points of the next are written and brought up, also when it belongs to another product. A chunk's
 * memory serves the next as soon as it is done, so that the device never holds more than the plan says, however large
 * the key. */
typedef struct rp_msm_stream rp_msm_stream;

typedef struct rp_msm_stream_options {
  uint32_t struct_size;
  uint32_t in_flight;           /* chunks on the device at once; 0: 2 */
  uint64_t chunk;               /* points a chunk; 0: the most that fit the budget, a power of two or all */
  uint64_t memory_budget_bytes; /* device memory for this stream; 0: what the device has left */
} rp_msm_stream_options;

typedef struct rp_msm_stream_info {
  uint32_t struct_size;
  uint64_t chunk, chunks; /* points a chunk, and chunks that a product of max_points takes */
  uint64_t key_bytes;     /* of max_points points */
  uint64_t device_bytes;  /* that the stream takes, all chunks in flight counted */
} rp_msm_stream_info;

/* RP_ERR_BUDGET if no chunk fits; the sentence has what the smallest takes. */
RP_API RP_CHECKED rp_status rp_msm_stream_create(rp_device *device, rp_curve curve, uint64_t max_points,
                                                 const rp_msm_stream_options *options, rp_msm_stream **stream,
                                                 rp_error *err);
/* What it would take, nothing allocated on the device. RP_ERR_BUDGET: *info is that of the chunk that takes least; its
 * device_bytes is a budget that is accepted, and so is every larger one. After any other failure *info is zero. */
RP_API RP_CHECKED rp_status rp_msm_stream_plan(rp_device *device, rp_curve curve, uint64_t max_points,
                                               const rp_msm_stream_options *options, rp_msm_stream_info *info,
                                               rp_error *err);
RP_API void rp_msm_stream_destroy(rp_msm_stream *stream);
RP_API void rp_msm_stream_get_info(const rp_msm_stream *stream, rp_msm_stream_info *info);

typedef struct rp_msm_job {
  rp_msm_stream *stream; /* of the curve; several jobs may share one */
  const void *scalars;   /* n, 32 bytes each */
  const void *points;    /* n; read once, and no longer when the call returns */
  uint64_t n;            /* at most max_points; 0 gives the identity */
  void *result;          /* one affine point */
} rp_msm_job;
typedef struct rp_msm_job_counters {
  uint32_t struct_size;
  uint64_t chunks;     /* submissions */
  uint64_t bytes_up;   /* brought to the devices */
  uint64_t overlapped; /* chunks whose points were written while another chunk was on its device */
  uint64_t elapsed_ns;
} rp_msm_job_counters;
/* The jobs' products in order, chunks of the next behind those of the one before. counters may be NULL. May be called
 * from several threads with the same streams. */
RP_API RP_CHECKED rp_status rp_msm_stream_run(const rp_msm_job *jobs, uint32_t n_jobs, rp_msm_job_counters *counters,
                                              rp_error *err);

/* ---- Several devices --------------------------------------------------------------------------------------------- */

/* How windows are dealt out, each device a contiguous range. */
typedef enum rp_msm_split {
  RP_MSM_SPLIT_CEIL = 0, /* ceil(windows / devices) each, the last ones what is left: the rule of cuZK's code */
  RP_MSM_SPLIT_EVEN = 1  /* numbers that differ by one at most, the larger ones first */
} rp_msm_split;
/* Windows [*first, *first + *count) for device `index` of `devices`; 0 if an argument is out of range, count 0 then. */
RP_API int rp_msm_partition(rp_msm_split split, uint32_t windows, uint32_t devices, uint32_t index, uint32_t *first,
                            uint32_t *count);

/* One product over several devices: each holds the points, and computes its windows. The devices may be of different
 * kinds. */
typedef struct rp_msm_group rp_msm_group;
typedef struct rp_msm_group_options {
  uint32_t struct_size;
  rp_msm_split split;
  uint32_t window_bits; /* 0: what suits the first device */
} rp_msm_group_options;
/* points stay the caller's, unchanged, as long as the group lives. n_devices is 1 to 64. */
RP_API RP_CHECKED rp_status rp_msm_group_create(rp_device *const *devices, uint32_t n_devices, rp_curve curve,
                                                const void *points, uint64_t n, const rp_msm_group_options *options,
                                                rp_msm_group **group, rp_error *err);
RP_API void rp_msm_group_destroy(rp_msm_group *group);
/* Windows of device `index`. */
RP_API uint32_t rp_msm_group_windows(const rp_msm_group *group, uint32_t index);
RP_API RP_CHECKED rp_status rp_msm_group_run(rp_msm_group *group, const void *scalars, void *result, rp_error *err);

#ifdef __cplusplus
}
#endif
#endif
