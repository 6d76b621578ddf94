/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * A file to read, with 64-bit offsets.
 *
 * A file that is cut short while it is mapped raises SIGBUS at the next touch of a lost page, and a library must not
 * own the process's signal handlers: no check beforehand closes that gap, and truncation takes even the private copies
 * of a mapping's pages away. So the readers do not look at a mapping of a file that somebody else may change: they read
 * ranges with pread into memory of their own, where a short file is an ordinary error. Nothing is read twice unless a
 * header says so, nothing is kept but what the caller asked for, and several threads may read disjoint ranges at once:
 * a key of several GiB passes through one small block a thread on its way to where it is used.
 *
 * G16_FILE_MAP maps the file for those who need its bytes in place. It is for files that are only ever replaced by a
 * rename, as the writers of this library do (output.h); whoever cuts such a file short in place kills the process.
 */
#ifndef REPRISE_FORMATS_MAPPING_H
#define REPRISE_FORMATS_MAPPING_H

#include <reprise/reprise.h>

typedef struct g16_file g16_file;

enum { G16_FILE_MAP = 1u /* g16_file_data gives the bytes in place */ };

/* Opens a regular file that is not empty. Anything else (a folder, a pipe, a device) is refused with its reason:
 * RP_ERR_FILE, or RP_ERR_FORMAT for an empty file. */
rp_status g16_file_open(const char *path, uint32_t flags, g16_file **file, rp_error *err);
/* The caller's memory in the place of a file; it stays the caller's, and must not change as long as the file is open.
 * `name` is what reasons call it; copied. */
rp_status g16_file_wrap(const char *name, const void *data, uint64_t size_bytes, g16_file **file, rp_error *err);
void g16_file_close(g16_file *file);
/* From here on the system reads the file in advance of g16_file_read (read_ahead.h), until told to stop or the file is
 * closed. Only for a file that is going to be read whole, about in its order. Not while others use the file. */
void g16_file_read_ahead(g16_file *file, int on);

const char *g16_file_name(const g16_file *file);
uint64_t g16_file_size(const g16_file *file);       /* when it was opened */
const uint8_t *g16_file_data(const g16_file *file); /* NULL unless mapped or wrapped */

/* Copies a range. RP_ERR_FORMAT if it does not lie inside the file, or no longer does. */
rp_status g16_file_read(const g16_file *file, uint64_t offset, uint64_t size_bytes, void *out, rp_error *err);
/* A range for one look: *data points into the file's memory, or at `scratch` (of that size) after a copy. */
rp_status g16_file_peek(const g16_file *file, uint64_t offset, uint64_t size_bytes, void *scratch, const uint8_t **data,
                        rp_error *err);
/* A file whole, in memory of rp_secret_alloc, of the file's size; larger than `limit_bytes` is refused. */
rp_status g16_file_slurp(const g16_file *file, uint64_t limit_bytes, uint8_t **data, rp_error *err);

#endif
