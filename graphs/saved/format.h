/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The format of saved graphs (docs/notes/saved-graphs.md), and the container of its sections. All numbers are
 * little-endian.
 *
 *   header     0 magic, 8 u32 version, 12 u32 sections, 16 u64 bytes of the file, 24 u16[3] version of the library,
 *              30 u16 zero, 32 SHA-256 of bytes 0 to 31 and of the section table
 *   table      from 64, per section: 0 u32 id, 4 u32 flags, 8 u64 offset, 16 u64 bytes, 24 u64 zero, 32 SHA-256
 *   sections   in the order of the table, with zeros between them
 */
#ifndef REPRISE_SAVED_FORMAT_H
#define REPRISE_SAVED_FORMAT_H

#include "formats/fail.h"
#include "files/mapping.h"
#include "files/output.h"
#include "files/sha256.h"

#define SAVED_MAGIC "\x89RPGRF\r\n"      /* a graph; reveals a transfer that changed line ends or the eighth bit */
#define SAVED_DATA_MAGIC "\x89RPGRD\r\n" /* the contents of its constants, in a file beside it */

enum {
  SAVED_VERSION = 1,
  SAVED_HEADER_BYTES = 64,
  SAVED_ENTRY_BYTES = 64,
  SAVED_SECTIONS_MAX = 64,
  SAVED_ALIGN = 64,
  SAVED_DATA_ALIGN = 4096, /* of SAVED_DATA, so that it can be mapped by itself */
  SAVED_REQUIRED = 1u,     /* flag of a section: a reader that does not know the section cannot load the graph */
  SAVED_NAME_MAX = 255,
  SAVED_PATH_MAX = 511, /* of a scope */
  SAVED_DEPTH_MAX = 64, /* of scopes; a graph has no deeper ones */
  SAVED_CONSTANT_BYTES = 48,
  SAVED_DEVICES_MAX = 16
};

typedef enum saved_id {
  SAVED_STRINGS = 1,
  SAVED_TYPES,
  SAVED_OPERATIONS,
  SAVED_SCOPES,
  SAVED_CONSTANTS,
  SAVED_ITEMS,
  SAVED_OUTPUTS,
  SAVED_DATA,
  SAVED_BESIDE,
  SAVED_CONDITIONS, /* not required: a reader that does not know it computes all branches */
  SAVED_IDS,
  SAVED_DEVICE_FIRST = 256, /* from here on, SAVED_DEVICES_MAX sections with plans, each for one device; up to 511:
                               reserved for what belongs to one device */
  SAVED_KEY = 512           /* not required: the graph is that of a proving key, and this is the rest of the key */
} saved_id;

/* Records of SAVED_ITEMS, in the order in which they were made. */
enum { SAVED_INPUT = 1, SAVED_CONSTANT = 2, SAVED_NODE = 3 };

/* Whether a name has 1 to SAVED_NAME_MAX bytes and no control characters, so that it may be part of a message: no byte
 * below 32, no 127, and none of U+0080 to U+009F, which are two bytes in UTF-8. */
bool saved_is_name(const void *text, size_t length);

/* ---- Growing bytes ----------------------------------------------------------------------------------------------- */

typedef struct saved_bytes {
  uint8_t *data;
  size_t size, capacity;
  bool failed; /* out of memory; what follows is dropped */
} saved_bytes;

uint8_t *saved_room(saved_bytes *b, size_t bytes); /* for `bytes` more, zeroed; NULL when out of memory */
void saved_put(saved_bytes *b, const void *data, size_t bytes);
void saved_u32(saved_bytes *b, uint32_t x);
void saved_u64(saved_bytes *b, uint64_t x);

/* ---- Writing a container ----------------------------------------------------------------------------------------- */

typedef struct saved_section {
  uint32_t id;
  uint64_t size_bytes;
  uint8_t digest[SHA256_BYTES]; /* of the content; of SAVED_DATA, that of the section SAVED_CONSTANTS */
  uint64_t offset;
} saved_section;

/* Writes header and table, and sets the offsets of the sections. */
rp_status saved_write_head(support_output *output, const char *magic, saved_section *sections, uint32_t n,
                           rp_error *err);
/* Writes zeros from *at up to `offset`. */
rp_status saved_write_gap(support_output *output, uint64_t *at, uint64_t offset, rp_error *err);

/* ---- Reading a container ----------------------------------------------------------------------------------------- */

typedef struct saved_container {
  const support_file *file; /* borrowed */
  uint64_t offset[SAVED_IDS], size_bytes[SAVED_IDS];
  uint8_t digest[SAVED_IDS][SHA256_BYTES];
  uint8_t present[SAVED_IDS];
  saved_section devices[SAVED_DEVICES_MAX];
  uint32_t n_devices;
  saved_section key; /* SAVED_KEY; its id is 0 if there is none */
  char writer[24];   /* version of the library that wrote it: "0.1.0" */
} saved_container;

/* Reads and checks header and table: magic, version, digest, that sections lie in the file in order with nothing but
 * zeros between them, and that none is required that is not known. */
rp_status saved_open(const support_file *file, const char *magic, saved_container *c, rp_error *err);
/* Reads a section into memory of malloc, which the caller frees, and compares its digest. */
rp_status saved_read(const saved_container *c, saved_id id, uint8_t **data, rp_error *err);

/* The same for section `index` of those for devices. */
rp_status saved_read_device(const saved_container *c, uint32_t index, uint8_t **data, rp_error *err);

/* Compares the digest of a section of a mapped or wrapped file, SAVED_KEY among them, and gives its place there. Its
 * length is that of the container. */
rp_status saved_view(const saved_container *c, uint32_t id, const uint8_t **data, rp_error *err);

/* Whether the file begins like a saved graph. */
bool saved_is_graph(const support_file *file);
/* For telling kinds of files apart: the first section with this id in its table, of which nothing is checked, or a
 * section with the id 0. Fails only where the file cannot be read. */
rp_status saved_find(const support_file *file, uint32_t id, saved_section *section, rp_error *err);

/* RP_ERR_FORMAT: "<file>: the saved graph is damaged: <why>." */
rp_status saved_damaged(const support_file *file, const char *why, rp_error *err);

#endif
