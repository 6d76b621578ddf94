/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Files that appear whole or not at all. What is written goes to a new file in the same folder, which takes the name
 * asked for by a rename once all of it is on the disk: nobody ever sees half a file, a file of that name stays as it
 * was until then, and a failure leaves nothing behind; nor does the death of the process, where the file system has
 * files without a name.
 *
 * "-", /dev/stdout, /dev/fd/... and whatever is there and is no regular file (a pipe, /dev/null) are written to as
 * the data comes; that cannot be taken back. A symbolic link is followed and stays, and so do the
 * permissions of a file that is replaced.
 */
#ifndef REPRISE_FORMATS_OUTPUT_H
#define REPRISE_FORMATS_OUTPUT_H

#include <reprise/reprise.h>

typedef struct g16_output g16_output;

/* Makes the new file, so that a folder that is missing or cannot be written to shows before the work is done. */
rp_status g16_output_begin(const char *path, g16_output **output, rp_error *err);
rp_status g16_output_write(g16_output *output, const void *data, uint64_t size_bytes, rp_error *err);
/* Writes at an offset, within or behind what is there: for a header that is known last. Refused for direct outputs. */
rp_status g16_output_write_at(g16_output *output, uint64_t offset, const void *data, uint64_t size_bytes,
                              rp_error *err);
/* Gives all of them their names, after all of them are on the disk. They are gone afterwards, also on failure. When one
 * cannot take its name, the others give theirs back, and files that they replaced stand there again (where the file
 * system can exchange two names). */
rp_status g16_output_commit(g16_output **outputs, uint32_t n, rp_error *err);
/* The same without waiting for the disk, for what can be made again: a crash of the machine may lose it, nothing else
 * may. Waiting takes longer than a small proof. */
rp_status g16_output_publish(g16_output **outputs, uint32_t n, rp_error *err);
/* Gives up: nothing stays. NULL is accepted. */
void g16_output_abort(g16_output *output);

/* The descriptor that a path stands for: 1 for "-" and /dev/stdout, N for /dev/fd/N. -1: none, it names a file. */
int g16_output_descriptor(const char *path);

/* All of that for a text in memory. */
rp_status g16_output_file(const char *path, const void *data, uint64_t size_bytes, rp_error *err);

#endif
