/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Poseidon2 (ePrint 2023/323) in the arguments of ops/hash/hash_args.h: `alpha` is the S-box's exponent, the constants
 * are as in poseidon_grain.h. With row_len 0 each item is a state of `width` elements. Otherwise an item is a row: its
 * elements are absorbed `rate` at a time, and out_len elements are squeezed, `rate` at a time. With states of two
 * elements, a row has two as well, which are added to the result of its permutation.
 *
 * States have 16 elements over fields of 4-byte elements, and 2 to 4 elements over others. Over the former, elements
 * overwrite the rate; over the latter they are added to it.
 */
#ifndef REPRISE_ARGS_POSEIDON2_H
#define REPRISE_ARGS_POSEIDON2_H

#include "hash/hash_args.h"

/* The most elements of a state, which is also the number of threads that a GPU has for each. */
#if FP_WORD_BYTES == 4
#define RP_POSEIDON2_WIDTH 16
#else
#define RP_POSEIDON2_WIDTH 4
#endif

#endif
