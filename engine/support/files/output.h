/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Files that appear complete or not at all. Data is written to a new file in the same folder, which is renamed to the
 * requested name once all of it is on the disk: nobody sees a partial file, an existing file of that name stays
 * unchanged until then, and a failure leaves nothing behind. Neither does the death of the process if the file system
 * supports files without a name.
 *
 * "-", /dev/stdout, /dev/fd/... and existing paths that are not regular files (a pipe, /dev/null) are written directly,
 * which cannot be undone. A symbolic link is followed and kept, and so are the permissions of a file that is replaced.
 */
#ifndef REPRISE_SUPPORT_OUTPUT_H
#define REPRISE_SUPPORT_OUTPUT_H

#include <reprise/reprise.h>

typedef struct support_output support_output;

/* Creates the new file, so that a missing or read-only folder is noticed before the work is done. */
rp_status support_output_begin(const char *path, support_output **output, rp_error *err);
rp_status support_output_write(support_output *output, const void *data, uint64_t size_bytes, rp_error *err);
/* Gives the outputs their names after all of them are on the disk. Frees the outputs, also on failure. If one cannot
 * get its name, the others lose theirs again, and files that they replaced are restored (if the file system can
 * exchange two names). */
rp_status support_output_commit(support_output **outputs, uint32_t n, rp_error *err);
/* The same without waiting for the disk, for data that can be made again: only a crash of the machine may lose it.
 * Waiting takes longer than a small proof. */
rp_status support_output_publish(support_output **outputs, uint32_t n, rp_error *err);
/* Discards the output: nothing stays. NULL is accepted. */
void support_output_abort(support_output *output);

/* The descriptor that a path stands for: 1 for "-" and /dev/stdout, N for /dev/fd/N; -1 if it names a file. */
int support_output_descriptor(const char *path);

/* Begins, writes and commits a file with these contents. */
rp_status support_output_file(const char *path, const void *data, uint64_t size_bytes, rp_error *err);

#endif
