/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Files for reading, with 64-bit offsets.
 *
 * If a file is truncated while it is mapped, the next access to a lost page raises SIGBUS, and a library must not own
 * the process's signal handlers. No check beforehand prevents this, and truncation even removes the private copies of a
 * mapping's pages. The readers therefore do not map files that somebody else may change: they read ranges with pread
 * into their own memory, where a truncated file is an ordinary error. Nothing is read twice unless a header says so,
 * nothing is kept but what the caller asked for, and several threads may read disjoint ranges at once: a key of several
 * GiB passes through one small block per thread on its way to where it is used.
 *
 * SUPPORT_FILE_MAP maps the file for callers that need its bytes in place, as range.h maps parts of it. It is for files
 * that are only ever replaced by renaming another over them, as the writers of this library do (output.h), or of which
 * the caller promises this; truncating such a file in place kills the process.
 */
#ifndef REPRISE_SUPPORT_MAPPING_H
#define REPRISE_SUPPORT_MAPPING_H

#include <stdbool.h>
#include <reprise/reprise.h>

typedef struct support_file support_file;

enum { SUPPORT_FILE_MAP = 1u /* support_file_data gives the bytes in place */ };

/* Opens a regular file that is not empty. Anything else (a folder, a pipe, a device) gives RP_ERR_FILE, and an empty
 * file RP_ERR_FORMAT. */
rp_status support_file_open(const char *path, uint32_t flags, support_file **file, rp_error *err);
/* Uses the caller's memory as a file. The memory must not change as long as the file is open. `name` names the file in
 * reasons; it is copied. */
rp_status support_file_wrap(const char *name, const void *data, uint64_t size_bytes, support_file **file,
                            rp_error *err);
void support_file_close(support_file *file);
/* Switches reading in advance of support_file_read on or off (read_ahead.h); closing the file ends it, too. Only for
 * files that are read completely and roughly in order. No other thread may use the file during the call. */
void support_file_read_ahead(support_file *file, bool on);

/* Says that the file has been read up to `offset`, as support_file_read does, for what is read through a range. */
void support_file_reached(const support_file *file, uint64_t offset);

const char *support_file_name(const support_file *file);
int support_file_descriptor(const support_file *file);      /* -1: wrapped; the file's own, which nobody else closes */
uint64_t support_file_size(const support_file *file);       /* at the time of opening */
const uint8_t *support_file_data(const support_file *file); /* NULL unless mapped or wrapped */

/* Copies a range. RP_ERR_FORMAT if it does not lie inside the file, or no longer does. */
rp_status support_file_read(const support_file *file, uint64_t offset, uint64_t size_bytes, void *out, rp_error *err);
/* Gives access to a range: *data points into the file's memory, or to `scratch` (of that size) after a copy. */
rp_status support_file_peek(const support_file *file, uint64_t offset, uint64_t size_bytes, void *scratch,
                            const uint8_t **data, rp_error *err);
/* Reads the whole file into memory of rp_secret_alloc, of the file's size. Files larger than `limit_bytes` are
 * refused. */
rp_status support_file_slurp(const support_file *file, uint64_t limit_bytes, uint8_t **data, rp_error *err);

#endif
