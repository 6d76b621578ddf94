/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The SHA-256 of a whole file, with which its receiver can check that it is the intended file.
 */
#ifndef REPRISE_SUPPORT_DIGEST_H
#define REPRISE_SUPPORT_DIGEST_H

#include "mapping.h"

enum { G16_SHA256_BYTES = 32, G16_SHA256_TEXT = 2 * G16_SHA256_BYTES + 1 };

rp_status g16_file_sha256(const g16_file *file, uint8_t digest[G16_SHA256_BYTES], rp_error *err);
/* RP_ERR_MISMATCH unless the file has this digest. */
rp_status g16_file_pinned(const g16_file *file, const uint8_t digest[G16_SHA256_BYTES], rp_error *err);
/* Hexadecimal digits in lower case and a NUL, as sha256sum prints them. */
void g16_sha256_text(const uint8_t digest[G16_SHA256_BYTES], char text[G16_SHA256_TEXT]);

#endif
