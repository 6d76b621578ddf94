/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Random circuits of many small shapes, for which any number of witnesses can be made: most constraints define the
 * value of one wire by those of earlier wires, and all other wires are free.
 */
#ifndef REPRISE_TESTS_CAMPAIGN_CIRCUIT_H
#define REPRISE_TESTS_CAMPAIGN_CIRCUIT_H

#include "groth16/setup/setup_circuit.h"

#include <string.h>

/* X(enumerator, name): what is special about a circuit */
#define SHAPE_LIST(X)                         \
  X(SHAPE_MIXED, "mixed")                     \
  X(SHAPE_ONE, "one constraint")              \
  X(SHAPE_NO_PUBLIC, "no public signal")      \
  X(SHAPE_MANY_PUBLIC, "many public signals") \
  X(SHAPE_LOOSE, "wires in no constraint")    \
  X(SHAPE_BITS, "bits alone")                 \
  X(SHAPE_NO_A, "no private wire in A")       \
  X(SHAPE_NO_B, "no wire in B")               \
  X(SHAPE_NO_C, "no wire in C")               \
  X(SHAPE_LONG_ROWS, "rows over all wires")   \
  X(SHAPE_LARGER, "hundreds of constraints")
typedef enum shape_id {
#define SHAPE_ENUM(id, name) id,
  SHAPE_LIST(SHAPE_ENUM)
#undef SHAPE_ENUM
      SHAPES
} shape_id;
extern const char *const shape_names[SHAPES];

typedef struct circuit {
  shape_id shape;
  g16_circuit rows;     /* without a witness */
  uint32_t *defined;    /* of each constraint: the wire that it defines, or 0 */
  uint8_t *negative;    /* of each constraint: 1 if that wire has the coefficient -1 in C, not 1 */
  uint8_t *is_bit;      /* of each wire: 1 if it is free and a constraint needs it to be 0 or 1 */
  uint32_t *free_wires; /* n_free; those in no constraint are among them */
  uint32_t n_free;
} circuit;

/* Returns 0 if it is out of memory. Free with circuit_free. `random` is the state of g16_next. */
int circuit_make(const g16_family *family, shape_id shape, uint64_t *random, circuit *c);
void circuit_free(circuit *c);
/* Makes a witness that satisfies all constraints: n_wires canonical values of 32 bytes. The free wires are all zero,
 * all one, random, near 0 or the group order, or mixed. Returns 0 if it is out of memory. */
int circuit_witness(const circuit *c, uint64_t *random, uint8_t *values);
/* Returns 1 if every constraint holds, 0 if not, -1 if it is out of memory. Values must be below the group order. */
int circuit_holds(const circuit *c, const uint8_t *values);

/* Nearly uniform below n. */
static inline uint32_t below(uint64_t *random, uint32_t n) { return (uint32_t)((g16_next(random) >> 32) * n >> 32); }

#endif
