/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Reprise, tier 1: constants that are read when a recording needs them, so that a key need not be in host memory before
 * it goes to the device. The calling rules are those of reprise.h.
 */
#ifndef REPRISE_SOURCE_H
#define REPRISE_SOURCE_H

#include <reprise/reprise.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Where the data of a constant comes from.
 *
 * `read` writes size_bytes bytes of it, those from byte offset_bytes on, to `to`; ranges consist of whole elements and
 * have at most 2 MiB, unless one element has more. The library's threads call it, several at once, in rp_record and
 * whenever the recording gets its memory again after it was evicted; no range is asked for twice in one of these. It
 * must always give the same bytes. It only writes to `to`, which may be slow to read. If it returns anything but RP_OK,
 * with a reason in *err, the recording fails with that status and that reason: those of the first range that fails.
 *
 * `user`, and what it points to, lives as long as the graph and its recordings. rp_graph_keep hands it over. */
typedef struct rp_constant_source {
  uint32_t struct_size;
  uint32_t has_digest; /* 1: constants of one type and length with equal digests have the same contents */
  rp_status (*read)(void *user, uint64_t offset_bytes, uint64_t size_bytes, void *to, rp_error *err); /* see above */
  void *user;                                                                                         /* for read */
  uint8_t digest[32]; /* if has_digest is 1: of any kind, of the contents or of the file they come from */
} rp_constant_source;

/* As rp_graph_constant, with a copy of *source in place of the data. On devices whose memory the host cannot access,
 * ranges are read into page-locked memory by several threads and copied from there while the next ones are read; on
 * others they are read into the recording's memory. Constants whose sources have the same `read` and `user`, or equal
 * digests, count as equal, so that they are on the device once. Operations that look at constants while a graph is
 * planned do not see this one. The graph cannot be saved (rp_graph_save gives RP_ERR_UNSUPPORTED). */
RP_API rp_value rp_graph_constant_from(rp_graph *graph, const char *name, const rp_type *type, uint64_t len,
                                       const rp_constant_source *source);

#ifdef __cplusplus
}
#endif

#endif
