/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The values that entries of tests/data/pedersen_banderwagon.json describe by their names.
 */
#ifndef REPRISE_TESTS_OPS_PEDERSEN_VALUES_H
#define REPRISE_TESTS_OPS_PEDERSEN_VALUES_H

#include <stdint.h>

#include "json.h"

/* Value i of an entry of KAT_python: 32 bytes, least significant first. */
void pedersen_value(const json *entry, uint32_t width, uint32_t i, uint8_t *value);

#endif
