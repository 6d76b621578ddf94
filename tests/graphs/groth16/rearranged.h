/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The same key in another file: sections in another order, at odd offsets, beyond 4 GiB.
 */
#ifndef REPRISE_TESTS_REARRANGED_H
#define REPRISE_TESTS_REARRANGED_H

#include <stddef.h>
#include <stdint.h>

enum { REARRANGED_SECTIONS = 10 }; /* of a zkey */

/* The sections in an order that `rotation` chooses, each behind an unknown section of odd length. Free with free(). */
uint8_t *rearranged(const uint8_t *zkey, size_t bytes, unsigned rotation, size_t *out_bytes);

typedef enum rearranged_far { FAR_WRITTEN, FAR_REFUSED, FAR_NOT_SPARSE } rearranged_far;

/* Writes the key to `path` with a hole of more than 4 GiB, an unknown section, in front of its sections from number
 * `first` on (counted from 0). FAR_REFUSED: such a file cannot be written here, errno says why; FAR_NOT_SPARSE: it
 * would take its whole size on this disk. Nothing is left at `path` then. */
rearranged_far rearranged_write_far(const char *path, const uint8_t *zkey, size_t bytes, unsigned first);

#endif
