/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Saved graphs as an attacker makes them: with right digests, whatever is in them.
 */
#ifndef REPRISE_TESTS_SAVED_SEAL_H
#define REPRISE_TESTS_SAVED_SEAL_H

#include <stddef.h>
#include <stdint.h>

/* Puts the right length and all digests into a file of `size` bytes, as far as its section table makes sense. */
void saved_seal(uint8_t *file, size_t size);
/* Where section `id` lies, or NULL; *size is its length. */
uint8_t *saved_section_of(uint8_t *file, size_t file_size, uint32_t id, size_t *size);

#endif
