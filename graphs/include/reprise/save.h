/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Reprise, tier 3: graphs in files. A graph of operations that have a schema (schema.h) is saved as it was built, not
 * as it was recorded, so that it can be loaded on another machine and recorded for any device. Calling rules:
 * reprise.h. The format is in docs/notes/saved-graphs.md.
 *
 * What is saved: the graph's name; inputs and outputs with name, type, length and flags; nodes with operation (name
 * and version), parameters, operands and scope; the contents of constants, each once, with its SHA-256. Values of
 * inputs are never saved, so that nothing secret is in a file: constants are not secret. What is not saved:
 * recordings, and the budget and other options of rp_record. Plans, and compiled kernels, which belong to one device,
 * are saved for the devices that the caller names.
 *
 * Loading makes the same calls as a program that builds the graph, with the same checks, so that a file can do nothing
 * that a program could not. The result is the same graph: nodes, values and scopes have the same order and names, and
 * saving it again gives the same bytes, except for the sections for devices.
 *
 * Trust: digests find damage and files that were exchanged. Anyone who can write the file decides what is computed, as
 * with a program. To know that a file is the intended one, compare its SHA-256 with one from elsewhere: that of the
 * graph file fixes the contents of all constants, also of those in a file beside it.
 *
 * A file of rp_groth16_save is a saved graph, too, with one more section, which loading skips.
 *
 * Versions: files of a version of the library are read by that version and at least the next two minor versions. If a
 * file is not understood, the reason says which part of it is not, and which version wrote it.
 */
#ifndef REPRISE_SAVE_H
#define REPRISE_SAVE_H

#include <reprise/schema.h>

#ifdef __cplusplus
extern "C" {
#endif

enum {
  /* The contents of constants go to a second file, named as the first one with ".data" at its end, which several
   * programs can map at once (RP_LOAD_MAP). Both files are needed to load the graph. A graph without constants has no
   * second file. */
  RP_SAVE_BESIDE = 1u,
  /* With `devices`: also the kernels that these have compiled so far (RP_PLANS_KERNELS in plans.h). */
  RP_SAVE_KERNELS = 2u
};
enum { RP_SAVE_DEVICES = 16 };
typedef struct rp_save_options {
  uint32_t struct_size;
  uint32_t flags; /* RP_SAVE_BESIDE, RP_SAVE_KERNELS */
  /* For each of these devices the file gets a section with the plans of rp_plans_keep, so that recording the loaded
   * graph on such a device does not search for them again. On other devices the file is as good as without. */
  rp_device *const *devices;
  const rp_record_options *record; /* with which the graph will be recorded there; NULL: all defaults */
  uint32_t n_devices;              /* at most RP_SAVE_DEVICES */
} rp_save_options;

/* Saves a graph. Existing files of these names are replaced; they appear complete or not at all, both or neither. The
 * graph is not changed, and must not be while it is saved. An error of the graph is returned as it is.
 * RP_ERR_UNSUPPORTED: an operation that declares no schema, named with its node; a node with parameters that its schema
 * does not list; two operations, or two types, of one name; a name of more than 255 bytes or with control characters;
 * a scope whose path is longer than 511 bytes; values on several devices (rp_on); a group among `devices`. Whatever
 * rp_plans_keep gives. */
RP_API RP_CHECKED rp_status rp_graph_save(const rp_graph *graph, const char *path, const rp_save_options *options,
                                          rp_error *err);

enum {
  /* Maps the file with the contents of constants and uses them in place, which takes no time and no memory of its own
   * on a CPU; only u32 constants of up to 512 KiB, which may be programs of rp_expr, are copied. The file may be
   * replaced by renaming another over it, as rp_graph_save does; if it is truncated or written to in place, the process
   * is killed, or computes with other constants. */
  RP_LOAD_MAP = 1u,
  /* Does not compare the contents of constants with their digests, which takes most of the time of loading large ones.
   * Everything else is checked. */
  RP_LOAD_UNCHECKED = 2u,
  /* Uses the compiled kernels of RP_SAVE_KERNELS, which drivers execute unchecked: only for files from somebody who may
   * execute code in this process. */
  RP_LOAD_KERNELS = 4u
};
typedef struct rp_load_options {
  uint32_t struct_size;
  uint32_t flags; /* RP_LOAD_MAP, RP_LOAD_UNCHECKED, RP_LOAD_KERNELS */
  /* Operations and types that files may name, besides the built-in ones. Read during the call, except for the
   * operations and types themselves, which must outlive the graph and its recordings. */
  const rp_catalog *const *catalogs;
  uint32_t n_catalogs;
  const char *data_path; /* the second file, if it is not where it was saved: in the folder of the first */
} rp_load_options;

/* Loads a graph. The memory that this takes is bounded by the sizes of the files. *graph belongs to the caller, who may
 * add to it. It keeps the constants' contents, or the mapping of the file, as long as it or its recordings live.
 * RP_ERR_FILE: a file cannot be opened or read. RP_ERR_FORMAT: it is not a saved graph, or is damaged.
 * RP_ERR_UNSUPPORTED: it needs an operation, a type or a version (of an operation or of the format) that is not known
 * here. RP_ERR_MISMATCH: the second file belongs to another graph, or an operation has another shape rule here.
 * RP_ERR_ARGUMENT: two catalogs have different operations, or types, of one name. Another status, such as RP_ERR_SHAPE:
 * an error of the graph's builder. */
RP_API RP_CHECKED rp_status rp_graph_load(rp_context *context, const char *path, const rp_load_options *options,
                                          rp_graph **graph, rp_error *err);
/* The same from memory, such as a resource of the program. The contents of constants are copied, and RP_LOAD_MAP has no
 * effect on them; with constants in a second file, data_path is needed. `data` may have any alignment, and is not used
 * after the call. */
RP_API RP_CHECKED rp_status rp_graph_load_memory(rp_context *context, const void *data, uint64_t size_bytes,
                                                 const rp_load_options *options, rp_graph **graph, rp_error *err);

#ifdef __cplusplus
}
#endif
#endif
