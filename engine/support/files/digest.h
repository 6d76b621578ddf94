/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The SHA-256 of a whole file, with which its receiver can check that it is the intended file.
 */
#ifndef REPRISE_SUPPORT_DIGEST_H
#define REPRISE_SUPPORT_DIGEST_H

#include "mapping.h"

enum { SUPPORT_SHA256_BYTES = 32, SUPPORT_SHA256_TEXT = 2 * SUPPORT_SHA256_BYTES + 1 };

rp_status support_file_sha256(const support_file *file, uint8_t digest[SUPPORT_SHA256_BYTES], rp_error *err);
/* RP_ERR_MISMATCH unless the file has this digest. */
rp_status support_file_pinned(const support_file *file, const uint8_t digest[SUPPORT_SHA256_BYTES], rp_error *err);
/* Hexadecimal digits in lower case and a NUL, as sha256sum prints them. */
void support_sha256_text(const uint8_t digest[SUPPORT_SHA256_BYTES], char text[SUPPORT_SHA256_TEXT]);

#endif
