/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * What the keys of all protocols have in common (.zkey, version 1; readHeader in zkey_utils.js of snarkjs):
 *   1  u32 protocol
 *   2  u32 n8q, q, u32 n8r, r, then data of the protocol, with points in memory form
 */
#ifndef REPRISE_FORMATS_ZKEY_HEAD_H
#define REPRISE_FORMATS_ZKEY_HEAD_H

#include "binfile.h"
#include "family.h"

enum { G16_ZKEY_PROTOCOL = 1, G16_ZKEY_HEADER = 2 }; /* sections */
enum { G16_PROTOCOL_GROTH16 = 1, G16_PROTOCOL_PLONK = 2, G16_PROTOCOL_FFLONK = 10 };

/* Lists the sections and checks the protocol. A key of another protocol may also lack sections that `format` needs; the
 * reason then names the protocol. */
rp_status g16_zkey_sections(const support_file *file, const g16_format *format, uint32_t protocol, g16_binfile *bin,
                            rp_error *err);
/* The protocol of a file; 0 if it is damaged or not a key. */
uint32_t g16_zkey_protocol(const support_file *file);

/* Reads the primes at *at, where there must be at least 88 bytes (two lengths, and the primes of the larger family),
 * and advances *at. */
rp_status g16_zkey_primes(const g16_binfile *bin, const uint8_t **at, const g16_family **family, rp_error *err);
/* Reads a point of the header at *at, and checks that it is on its curve, in its subgroup, and not infinity unless that
 * is allowed. */
rp_status g16_zkey_point(const g16_binfile *bin, rp_curve curve, const char *what, bool may_be_infinity,
                         const uint8_t **at, void *out, rp_error *err);

#endif
