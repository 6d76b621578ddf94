/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The same key in another file: sections in another order, at odd offsets, beyond 4 GiB.
 */
#ifndef REPRISE_TESTS_REARRANGED_H
#define REPRISE_TESTS_REARRANGED_H

#include <stddef.h>
#include <stdint.h>

enum { REARRANGED_SECTIONS = 10 }; /* number of sections of a zkey */

/* A key with its sections in an order that `rotation` selects, each behind an unknown section of odd length. Free with
 * free(). */
uint8_t *rearranged(const uint8_t *zkey, size_t bytes, unsigned rotation, size_t *out_bytes);

typedef enum rearranged_far { FAR_WRITTEN, FAR_REFUSED, FAR_NOT_SPARSE } rearranged_far;

/* Writes the key to `path` with an unknown section, a hole of more than 4 GiB, in front of section number `first`
 * (counted from 0). FAR_REFUSED: such a file cannot be written here, and errno says why. FAR_NOT_SPARSE: it would take
 * its whole size on this disk. In both cases no file is left at `path`. */
rearranged_far rearranged_write_far(const char *path, const uint8_t *zkey, size_t bytes, unsigned first);

#endif
