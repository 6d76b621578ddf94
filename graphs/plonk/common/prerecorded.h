/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * A key of PLONK or FFLONK in the form that the graph uses, in a file that is mapped and used in place: nothing is
 * parsed, and the additions need not be written out as sparse products again.
 *
 *   header    plonk_file_header
 *   table     n_sections times graphs_section
 *   sections  each at a multiple of 4 KiB, zeros between
 *
 * Integers have the byte order of the machine, points and field elements are in memory form (types.h). Header and
 * sections have checksums (XXH3), which detect damage, not intent: the author of a file computes them, too. Opening a
 * file therefore checks everything that opening a .zkey does, and also the form of the sparse products.
 */
#ifndef REPRISE_PLONK_COMMON_PRERECORDED_H
#define REPRISE_PLONK_COMMON_PRERECORDED_H

#include "formats/sections.h"
#include "key.h"

#define PLONK_FILE_MAGIC "\x89RPPLK\r\n" /* reveals a transfer that changed line ends or the eighth bit */

enum { PLONK_FILE_VERSION = 1, PLONK_FILE_ENDIAN = 0x01020304 };

typedef enum plonk_file_id {
  PLONK_FILE_VK, /* verification part, as plonk_key_kind.pack_vk writes it */
  PLONK_FILE_MAP,
  PLONK_FILE_TAU,
  PLONK_FILE_COEF,                                       /* and the sections after it: one for each polynomial */
  PLONK_FILE_STAGES = PLONK_FILE_COEF + PLONK_KEY_POINTS /* from here: row_ptr, col and val of each stage */
} plonk_file_id;
enum { PLONK_FILE_SECTIONS_MOST = PLONK_FILE_STAGES + 3 * PLONK_STAGES_MOST, PLONK_FILE_VK_MOST = 1024 };

typedef struct plonk_file_header {
  char magic[8];
  uint32_t version, endian, protocol, n_sections; /* protocol: as in a .zkey */
  uint64_t file_bytes;
  uint32_t n_vars, n_public, domain, n_constraints, n_additions; /* n_vars: without the additions */
  uint32_t points_checked; /* 1: the program that recorded it claims that every power of tau was checked */
  uint32_t n_stages;       /* n_sections is PLONK_FILE_STAGES + 3 n_stages */
  uint8_t reserved[60];    /* zero */
  uint64_t checksum;       /* XXH3 of the header up to here, then of the section table */
} plonk_file_header;
_Static_assert(sizeof(plonk_file_header) == 128, "a fixed layout");

/* The lengths of the stages follow from those of their sections. */
/* The length of a section before those of the stages. `kind` and `domain` are those of the key. */
uint64_t plonk_file_section_bytes(const plonk_key_kind *kind, uint64_t domain, uint32_t id);

/* The protocol of a file that begins like a prerecorded key; 0 for any other. */
uint32_t plonk_prerecorded_protocol(const support_file *file);
/* Loads all sections from key->source, which must be mapped or wrapped; the arrays point into it. With `checksum` its
 * checksums are compared, with `reduced` all scalars must be below r, and all coordinates below q. */
rp_status plonk_prerecorded_load(const plonk_key_kind *kind, plonk_key *key, bool checksum, bool reduced,
                                 rp_error *err);
/* For unpack_vk: RP_ERR_FORMAT unless the scalars at `in` are below r and the coordinates after them below q. */
rp_status plonk_prerecorded_reduced(const plonk_key *key, const uint8_t *in, uint32_t n_scalars, uint32_t n_coordinates,
                                    rp_error *err);
rp_status plonk_prerecorded_save(const plonk_key_kind *kind, const plonk_key *key, const char *path, rp_error *err);

#endif
