/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Damaged and hostile files, made from the fixtures by small, named mutations. The same tables serve the tests of the
 * readers, make_hostile (which writes every case to a folder, for tests of the command) and the seeds of the fuzz
 * harnesses.
 */
#ifndef REPRISE_TESTS_HOSTILE_H
#define REPRISE_TESTS_HOSTILE_H

#include <reprise/reprise.h>

/* X(enumerator, name in the index file): the reader or the step that must refuse the file. */
#define HOSTILE_KIND_LIST(X)                                                        \
  X(HOSTILE_ZKEY, "zkey")       /* proving key */                                   \
  X(HOSTILE_CHECKED, "checked") /* proving key, with points checked */              \
  X(HOSTILE_WTNS, "wtns")       /* witness, together with its fixture's key */      \
  X(HOSTILE_PROVE, "prove")     /* witness that only the proof shows to be wrong */ \
  X(HOSTILE_RELEASE, "release") /* proving key whose proofs must not be released */ \
  X(HOSTILE_R1CS, "r1cs")                                                           \
  X(HOSTILE_VKEY, "vkey")                                                           \
  X(HOSTILE_PROOF, "proof")                                                         \
  X(HOSTILE_PUBLIC, "public")                                                       \
  X(HOSTILE_OUTPUT, "output") /* path that cannot be written to */

typedef enum hostile_kind {
#define HOSTILE_KIND_ENUM(name, text) name,
  HOSTILE_KIND_LIST(HOSTILE_KIND_ENUM)
#undef HOSTILE_KIND_ENUM
} hostile_kind;

/* What lies at the case's path. HOSTILE_DEVICE: the path is `to`; HOSTILE_OTHER: it is the file `to` of the
 * fixtures. */
typedef enum hostile_node {
  HOSTILE_FILE = 0,
  HOSTILE_FOLDER,
  HOSTILE_PIPE,
  HOSTILE_MISSING,
  HOSTILE_DEVICE,
  HOSTILE_OTHER
} hostile_node;

typedef struct hostile_buffer {
  uint8_t *data;
  size_t size;
  const char *from, *to; /* the texts of the case */
} hostile_buffer;

typedef void (*hostile_damage)(hostile_buffer *buffer, uint64_t x, uint64_t y, uint64_t z);

typedef struct hostile_case {
  const char *name;
  hostile_kind kind;
  rp_status status;
  const char *says; /* text that the reason must contain */
  hostile_damage damage;
  uint64_t x, y, z;
  const char *from, *to; /* texts for a damage to JSON */
  const char *fixture;   /* NULL: multiplier_bn254 */
  hostile_node node;
} hostile_case;

extern const hostile_case hostile_cases[];
extern const size_t hostile_count;
/* The cases of PLONK (hostile_plonk.c), whose fixtures are in a folder beside those of Groth16. */
extern const hostile_case hostile_plonk_cases[];
extern const size_t hostile_plonk_count;
/* The cases of FFLONK (hostile_fflonk.c). */
extern const hostile_case hostile_fflonk_cases[];
extern const size_t hostile_fflonk_count;

const char *hostile_kind_name(hostile_kind kind);
const char *hostile_fixture(const hostile_case *c);
/* The file of the fixture from which a kind is made, such as "circuit.zkey". */
const char *hostile_source(hostile_kind kind);
/* The bytes of the case, made from the fixtures in `data_folder`. Returns 0 if a file is missing. Free with free(). */
int hostile_bytes(const hostile_case *c, const char *data_folder, hostile_buffer *buffer);
/* Writes the case into `folder` and its path into `path`. Returns 0 if that fails. */
int hostile_write(const hostile_case *c, const char *data_folder, const char *folder, char *path, size_t room);

/* Reads a whole file. Returns 0 if it cannot be read. */
int hostile_slurp(const char *path, hostile_buffer *buffer);

/* Damages (hostile_damage.c). Section 0 means the file itself; offsets are within the section's content. */
void damage_none(hostile_buffer *b, uint64_t x, uint64_t y, uint64_t z);
void damage_u32(hostile_buffer *b, uint64_t section, uint64_t offset, uint64_t value);
void damage_u64(hostile_buffer *b, uint64_t section, uint64_t offset, uint64_t value);
/* Changes the length in the section's header. */
void damage_length(hostile_buffer *b, uint64_t section, uint64_t value, uint64_t z);
void damage_ones(hostile_buffer *b, uint64_t section, uint64_t offset, uint64_t bytes); /* all bits set */
void damage_zero(hostile_buffer *b, uint64_t section, uint64_t offset, uint64_t bytes);
void damage_flip(hostile_buffer *b, uint64_t section, uint64_t offset, uint64_t mask);
void damage_copy(hostile_buffer *b, uint64_t section, uint64_t to, uint64_t from); /* 32 bytes within the section */
void damage_cut(hostile_buffer *b, uint64_t bytes, uint64_t y, uint64_t z);
/* Truncates the file near a section. `where` is 0: before its header, 1: inside the header, 2: behind the header, 3: in
 * the middle of the content, 4: one byte before its end. */
void damage_cut_section(hostile_buffer *b, uint64_t section, uint64_t where, uint64_t z);
/* Changes the length of the content, padding it with zeros. */
void damage_resize(hostile_buffer *b, uint64_t section, uint64_t bytes, uint64_t z);
void damage_drop(hostile_buffer *b, uint64_t section, uint64_t y, uint64_t z);
void damage_repeat(hostile_buffer *b, uint64_t section, uint64_t y, uint64_t z);
void damage_add(hostile_buffer *b, uint64_t section, uint64_t value, uint64_t z); /* a new section that holds one u32 */
void damage_append(hostile_buffer *b, uint64_t bytes, uint64_t y, uint64_t z);
void damage_text(hostile_buffer *b, uint64_t x, uint64_t y, uint64_t z); /* replaces the first `from` by `to` */
/* Truncates the text before the first `from`. */
void damage_text_cut(hostile_buffer *b, uint64_t x, uint64_t y, uint64_t z);
void damage_whole(hostile_buffer *b, uint64_t x, uint64_t y, uint64_t z); /* replaces the content by `to` */
/* Replaces the content by opening brackets. */
void damage_deep(hostile_buffer *b, uint64_t depth, uint64_t y, uint64_t z);
/* Replaces a good point by one outside the prime-order subgroup. `curve` is an rp_curve. */
void damage_subgroup(hostile_buffer *b, uint64_t section, uint64_t offset, uint64_t curve);
/* Adds a point of small order (torsion.h) to a point of a key. `curve` is an rp_curve plus 256 times a prime or
 * TORSION_ALL. */
void damage_torsion(hostile_buffer *b, uint64_t section, uint64_t offset, uint64_t curve);
/* `member` is 'a', 'b' or 'c' */
void damage_proof_subgroup(hostile_buffer *b, uint64_t member, uint64_t y, uint64_t z);

#endif
