/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Recorded files of PLONK and FFLONK that somebody changed and gave right checksums. The same table serves the test of
 * the reader and the seeds of its fuzz harness. The files are made from synthetic keys of RECORDED_DOMAIN rows with
 * RECORDED_PUBLIC public signals, which have additions.
 */
#ifndef REPRISE_TESTS_PLONK_RECORDED_H
#define REPRISE_TESTS_PLONK_RECORDED_H

#include "plonk/common/prerecorded.h"

enum { RECORDED_LOG_DOMAIN = 4, RECORDED_DOMAIN = 1 << RECORDED_LOG_DOMAIN, RECORDED_PUBLIC = 2 };

/* A synthetic key of this protocol (a number of a .zkey) as a recorded file at `path`. `folder` is for its .zkey, which
 * stays there as made.zkey, and its witness, made.wtns. Returns 0 if that fails. */
int recorded_make(uint32_t protocol, rp_context *context, rp_device *device, const char *folder, const char *path);

typedef enum recorded_op {
  RECORDED_HEADER,     /* u32 at byte `at` of the header becomes `value` */
  RECORDED_HEADER_ADD, /* that u32 grows by `value` */
  RECORDED_TABLE,      /* u64 at byte `at` of the section's entry grows by `value` */
  RECORDED_WORD,       /* word `at` of the section becomes `value` */
  RECORDED_WORD_ADD,   /* that word grows by `value` */
  RECORDED_WORD_PLACE, /* that word becomes the number of variables plus `value` */
  RECORDED_ONES,       /* `value` bytes at byte `at` become 255 */
  RECORDED_ZERO,       /* these bytes become 0 */
  RECORDED_FLIP,       /* byte `at` changes one bit */
  RECORDED_COPY,       /* `value` bytes from the section's beginning go to byte `at` */
  RECORDED_TWIN,       /* point `at` becomes point 0 with q added to a coordinate: the same point, other bytes */
  RECORDED_GAP,        /* the byte before the section becomes 1 */
  RECORDED_STAGE_LESS, /* header and table do not know the last stage, which the file still has */
  RECORDED_CUT         /* the file ends `value` bytes earlier */
} recorded_op;

typedef struct recorded_case {
  const char *name, *says; /* part of the reason */
  recorded_op op;
  uint32_t section;
  uint64_t at, value;
  uint32_t protocol; /* the case is for this protocol only; 0: for both */
  int checksums;     /* 1: seen only where checksums and elements are checked */
} recorded_case;
extern const recorded_case recorded_cases[];
extern const size_t recorded_count;

/* Changes the file and gives it right checksums; *bytes may become smaller. 0: the case is for the other protocol. */
int recorded_apply(const recorded_case *c, uint8_t *data, size_t *bytes);
/* Computes all checksums again, where header and table allow it. */
void recorded_seal(uint8_t *data, size_t bytes);

/* ---- Files without zeros between sections, so that mutations more often change something that matters ------------ */

/* Packs a good file in place and returns the new length. */
size_t recorded_pack(uint8_t *data);
/* The file that header and table describe, whether they are valid or not: sections that would lie outside are left out,
 * and missing bytes are zero. The result is 64-byte aligned; free with free(). NULL if the input or the file is too
 * short, the file too long, or memory is missing. */
uint8_t *recorded_unpack(const uint8_t *data, size_t size, size_t *bytes);

#endif
