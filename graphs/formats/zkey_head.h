/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * What the keys of all protocols have in common (.zkey, version 1; readHeader in zkey_utils.js of snarkjs):
 *   1  u32 protocol
 *   2  u32 n8q, q, u32 n8r, r, and then what the protocol needs, points in memory form among it
 */
#ifndef REPRISE_FORMATS_ZKEY_HEAD_H
#define REPRISE_FORMATS_ZKEY_HEAD_H

#include "binfile.h"
#include "family.h"

enum { G16_ZKEY_PROTOCOL = 1, G16_ZKEY_HEADER = 2 }; /* sections */
enum { G16_PROTOCOL_GROTH16 = 1, G16_PROTOCOL_PLONK = 2, G16_PROTOCOL_FFLONK = 10 };

/* Lists the sections and checks the protocol. Keys of other protocols lack sections that `format` needs; what they are
 * is the better reason, and is given first. */
rp_status g16_zkey_sections(const g16_file *file, const g16_format *format, uint32_t protocol, g16_binfile *bin,
                            rp_error *err);
/* The protocol of a file whatever it is; 0 if it is no key or damaged. */
uint32_t g16_zkey_protocol(const g16_file *file);

/* The primes at *at, which stands behind them afterwards. At least 88 bytes must be there: two lengths, and the primes
 * of the larger family. */
rp_status g16_zkey_primes(const g16_binfile *bin, const uint8_t **at, const g16_family **family, rp_error *err);
/* A point of the header at *at: on its curve and in its subgroup, and not infinity unless it may be. */
rp_status g16_zkey_point(const g16_binfile *bin, rp_curve curve, const char *what, int may_be_infinity,
                         const uint8_t **at, void *out, rp_error *err);

#endif
