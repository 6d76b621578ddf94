/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Groups: a graph over several devices as pieces, each of which is a graph and a recording of one device.
 *
 *   cut       which node belongs to which piece, and from where the pieces get what they read (cut.c)
 *   piece     its graph (piece.c)
 *   plan      figures; the shell: a plan of the whole graph that has its inputs and outputs and computes nothing, so
 *             that runs of a group are runs like all others (plan.c)
 *   device    the backend whose device is a group, and whose programs start the runs of the pieces (device.c, run.c)
 *
 * Nodes have a level, the number of times that what they need has come from another device. The nodes of a level on a
 * device are up to three pieces: what other devices wait for; what can run beside that; and the rest. Values come from
 * pieces that are submitted earlier, and no piece waits for one that is submitted later. A piece follows those of its
 * device that it reads from; others may run beside it.
 */
#ifndef REPRISE_ENGINE_GROUP_H
#define REPRISE_ENGINE_GROUP_H

#include "recording.h"
#include "text.h"

#include <reprise/group.h>

enum { RP_STAGE_EARLY, RP_STAGE_BESIDE, RP_STAGE_REST, RP_STAGES };

/* An input of a piece. */
typedef struct rp_piece_input {
  rp_value value; /* of the piece's graph */
  uint32_t root;  /* index of the value of the whole graph in which it lies, which is computed or an input */
  uint64_t first; /* element of the root with which it begins */
  uint64_t bytes;
  uint32_t piece;  /* that has the root, as an output or an input; RP_NONE: the host */
  rp_value source; /* the root there */
  rp_route route;
  bool shared; /* it is uploaded, and later pieces of the device copy it from there: it arrives before the others */
} rp_piece_input;

typedef struct rp_piece {
  uint32_t device, stage; /* stage: RP_STAGES * level + one of RP_STAGE_* */
  uint32_t previous;      /* the piece before it on its device, or RP_NONE */
  rp_graph *graph;
  rp_piece_input *inputs;
  uint32_t n_inputs, cap_inputs;
  bool sends; /* some piece of another device reads its outputs in the host's memory */
  bool keeps; /* some later piece reads what it has on its device */
  /* Earlier pieces, in ascending order: of this device, which it follows; and of others, whose values it reads in the
   * host's memory. */
  uint32_t after[RP_MOST_SYNCS], waits[RP_MOST_SYNCS];
  uint32_t n_after, n_waits;
  rp_recording *recording; /* NULL: only planned */
  rp_plan_info info;
} rp_piece;

/* An output of the whole graph: where its bytes are when all pieces have run. */
typedef struct rp_group_output {
  uint32_t value; /* index */
  uint32_t piece; /* RP_NONE: it is a copy of an input */
  uint32_t root;
  rp_value source;
  uint64_t first;
} rp_group_output;

typedef struct rp_pieces {
  rp_device *group; /* not referenced: its plan's device */
  const rp_graph *graph;
  rp_arena arena;
  rp_piece *items; /* in the order of submission */
  uint32_t n;
  rp_group_output *outputs;
  uint32_t n_outputs;
  uint32_t n_programs; /* of the shell, that exist: the pieces are pinned while there are any */
} rp_pieces;

/* What the cut finds; arrays in `arena`, by index of nodes and values. */
typedef struct rp_cut {
  const rp_graph *graph;
  uint32_t n_devices;
  unsigned char *live;     /* node: some output needs it */
  unsigned char *floating; /* node: depends on constants alone, and is computed wherever it is needed */
  unsigned char *crosses;  /* node: a slice of a value of another device, which becomes an input of its readers */
  uint32_t *level;
  unsigned char *early; /* node: another device waits at this level for what is computed from it */
  /* node: it is not early, and cannot run beside the early nodes of its level, because it reads one of them, or a node
   * of a lower level that is not early, or another node that is `rest` */
  unsigned char *rest;
  uint32_t *piece_of; /* node: RP_NONE if it is in no piece */
  uint32_t *root;     /* value: the value in which it lies, itself unless a node that crosses made it */
  uint64_t *first;
  unsigned char *leaves; /* value: how it leaves its piece, bit mask of RP_LEAVES_* */
} rp_cut;
enum { RP_LEAVES_DEVICE = 1, RP_LEAVES_HOST = 2 };

/* Fills in everything but `leaves`, and makes pieces->items, without their graphs. */
rp_status rp_cut_make(rp_cut *cut, const rp_graph *graph, uint32_t n_devices, rp_pieces *pieces, rp_error *err);
/* The route from one device of a group to another; `from` RP_NONE: from the host. */
rp_route rp_group_route(const rp_device *group, uint32_t from, uint32_t to);
/* "device 1 (cuda:1)", what the device is called in messages. */
const char *rp_group_device_name(const rp_device *group, uint32_t index, char *text, size_t bytes);
/* Whether the input is one of the whole graph that was uploaded for an earlier piece of the device: it is copied from
 * there, as soon as it has come. */
bool rp_piece_shares(const rp_pieces *pieces, const rp_piece_input *in);
/* Builds the graphs of all pieces. */
rp_status rp_pieces_build(rp_pieces *pieces, rp_cut *cut, rp_error *err);

/* The plan of a group (rp_plan_create of other devices), with pieces that are planned or, with `record`, recorded. A
 * group has no groups as members, so that its pieces are planned and recorded by what does so for one device. These
 * functions want options that rp_record_options_read has read. */
rp_status rp_group_plan_create(rp_device *group, const rp_graph *graph, const rp_record_options *options, bool record,
                               rp_plan **plan, rp_error *err);
rp_status rp_group_record(rp_device *group, const rp_graph *graph, const rp_record_options *options,
                          rp_recording **recording, rp_error *err);
/* Frees any plan, and its pieces if it has some. NULL does nothing. */
void rp_group_plan_destroy(rp_plan *plan);
void rp_pieces_free(rp_pieces *pieces); /* NULL does nothing */

extern const rp_backend rp_backend_group; /* not in rp_backends: rp_group_open opens it */

/* The program of a run slot of the shell (run.c), as backend.h says. */
rp_status rp_group_program_create(void *state, const rp_program_desc *desc, const rp_program_memory *memory,
                                  rp_program **program, rp_error *err);
void rp_group_program_destroy(void *state, rp_program *program);
rp_status rp_group_submit(void *state, rp_program *program, const uint64_t *words, uint32_t n_words,
                          const rp_links *links, rp_error *err);
rp_status rp_group_wait(void *state, rp_program *program, uint64_t timeout_ns, rp_error_record *fault, rp_error *err);
void rp_group_cancel(void *state, rp_program *program);
void rp_group_wipe(void *state, rp_program *program);
void rp_group_counters(void *state, const rp_program *program, rp_backend_counters *counters);
/* The run of a piece, until the group's run has ended; NULL: it has not been begun. */
const rp_run *rp_group_piece_run(const rp_program *program, uint32_t index);

/* Members of a recording's object in documents: "devices" and "results", and those of a piece except its recording
 * (export.c). */
void rp_group_export_devices(rp_text *text, const rp_pieces *pieces);
void rp_group_export_piece(rp_text *text, const rp_pieces *pieces, const rp_piece *piece);
void rp_group_export_results(rp_text *text, const rp_pieces *pieces);

#endif
