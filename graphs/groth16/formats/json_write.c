/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "json.h"

#include "formats/decimal.h"
#include "formats/fail.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

static void put_bytes(g16_text *text, const char *data, size_t length) {
  if (text->failed) return;
  if (text->capacity - text->length < length) {
    size_t capacity = text->capacity + text->capacity / 2 + length + 1024;
    char *grown = realloc(text->data, capacity);
    if (!grown) {
      text->failed = 1;
      return;
    }
    text->data = grown;
    text->capacity = capacity;
  }
  memcpy(text->data + text->length, data, length);
  text->length += length;
}

static void put(g16_text *text, const char *string) { put_bytes(text, string, strlen(string)); }

/* Items stand each on its own line, one blank a level deep. */
static void put_line(g16_text *text, int depth) {
  static const char blanks[] = "\n        ";
  put_bytes(text, blanks, (size_t)depth + 1);
}

static void put_item(g16_text *text, int first, int depth) {
  if (!first) put(text, ",");
  put_line(text, depth);
}

static void put_close(g16_text *text, const char *bracket, int depth) {
  put_line(text, depth);
  put(text, bracket);
}

static void put_number(g16_text *text, const uint8_t *le, uint32_t bytes) {
  char digits[G16_DECIMAL_DIGITS + 1];
  put(text, "\"");
  put_bytes(text, digits, g16_to_decimal(le, bytes, digits));
  put(text, "\"");
}

static void put_coordinate(g16_text *text, const g16_family *family, const uint8_t *element) {
  uint64_t aligned[6], canonical[6];
  memcpy(aligned, element, family->fq_bytes);
  rp_field_get(family->fq)->to_canonical(canonical, aligned);
  put_number(text, (const uint8_t *)canonical, family->fq_bytes);
}

/* `degree` coefficients: a number for G1, an array for more. */
static void put_element(g16_text *text, const g16_family *family, const uint8_t *element, uint32_t degree, int depth) {
  if (degree == 1) {
    put_coordinate(text, family, element);
    return;
  }
  put(text, "[");
  for (uint32_t i = 0; i < degree; i++) {
    put_item(text, i == 0, depth + 1);
    put_coordinate(text, family, element + (size_t)i * family->fq_bytes);
  }
  put_close(text, "]", depth);
}

/* Infinity is written as snarkjs does: 0, 1, 0. */
static void put_point(g16_text *text, const g16_family *family, uint32_t degree, const void *point, int depth) {
  uint64_t zero[12] = {0}, one[12] = {0};
  uint32_t bytes = degree * family->fq_bytes;
  const uint8_t *x = point, *y = x + bytes, *z = (const uint8_t *)one;
  rp_field_get(family->fq)->one(one);
  if (memcmp(x, zero, bytes) == 0 && memcmp(y, zero, bytes) == 0) {
    y = z;
    z = (const uint8_t *)zero;
  }
  const uint8_t *const coordinate[3] = {x, y, z};
  put(text, "[");
  for (int i = 0; i < 3; i++) {
    put_item(text, i == 0, depth + 1);
    put_element(text, family, coordinate[i], degree, depth + 1);
  }
  put_close(text, "]", depth);
}

static void put_member(g16_text *text, int first, const char *name) {
  put_item(text, first, 1);
  put(text, "\"");
  put(text, name);
  put(text, "\": ");
}

static void put_member_string(g16_text *text, int first, const char *name, const char *value) {
  put_member(text, first, name);
  put(text, "\"");
  put(text, value);
  put(text, "\"");
}

static rp_status finish(g16_text *text, rp_error *err) {
  if (!text->failed) return RP_OK;
  free(text->data);
  *text = (g16_text){0};
  return graphs_fail(err, RP_ERR_MEMORY, "Out of memory for a JSON text.");
}

rp_status g16_proof_write(const rp_groth16_proof *proof, g16_text *text, rp_error *err) {
  const g16_family *family = g16_family_by_g1(proof->g1);
  if (!family || proof->g2 != family->g2)
    return graphs_fail(err, RP_ERR_ARGUMENT, "The proof is of no curve that circom knows.");
  put(text, "{");
  put_member(text, 1, "pi_a");
  put_point(text, family, 1, proof->a, 1);
  put_member(text, 0, "pi_b");
  put_point(text, family, 2, proof->b, 1);
  put_member(text, 0, "pi_c");
  put_point(text, family, 1, proof->c, 1);
  put_member_string(text, 0, "protocol", "groth16");
  put_member_string(text, 0, "curve", family->name);
  put_close(text, "}", 0);
  return finish(text, err);
}

rp_status g16_public_write(const uint8_t *values, size_t n, g16_text *text, rp_error *err) {
  put(text, "[");
  for (size_t i = 0; i < n; i++) {
    put_item(text, i == 0, 1);
    put_number(text, values + 32 * i, 32);
  }
  put_close(text, "]", 0);
  return finish(text, err);
}

/* e(alpha, beta) in the tower that snarkjs has: 2 times 3 times 2 coefficients. */
static void put_alpha_beta(g16_text *text, const g16_family *family, const uint8_t *coefficient) {
  put_member(text, 0, "vk_alphabeta_12");
  put(text, "[");
  for (int i = 0; i < 2; i++) {
    put_item(text, i == 0, 2);
    put(text, "[");
    for (int j = 0; j < 3; j++) {
      put_item(text, j == 0, 3);
      put_element(text, family, coefficient, 2, 3);
      coefficient += 2 * family->fq_bytes;
    }
    put_close(text, "]", 2);
  }
  put_close(text, "]", 1);
}

rp_status g16_vkey_write(const g16_vkey *vkey, const void *alpha_beta, g16_text *text, rp_error *err) {
  const g16_family *family = vkey->family;
  char count[16];
  put(text, "{");
  put_member_string(text, 1, "protocol", "groth16");
  put_member_string(text, 0, "curve", family->name);
  put_member(text, 0, "nPublic");
  snprintf(count, sizeof count, "%" PRIu32, vkey->n_public);
  put(text, count);
  put_member(text, 0, "vk_alpha_1");
  put_point(text, family, 1, &vkey->alpha_1, 1);
  put_member(text, 0, "vk_beta_2");
  put_point(text, family, 2, &vkey->beta_2, 1);
  put_member(text, 0, "vk_gamma_2");
  put_point(text, family, 2, &vkey->gamma_2, 1);
  put_member(text, 0, "vk_delta_2");
  put_point(text, family, 2, &vkey->delta_2, 1);
  if (alpha_beta) put_alpha_beta(text, family, alpha_beta);
  put_member(text, 0, "IC");
  put(text, "[");
  for (uint64_t i = 0; i <= vkey->n_public; i++) {
    put_item(text, i == 0, 2);
    put_point(text, family, 1, vkey->ic + i * g16_g1_bytes(family), 2);
  }
  put_close(text, "]", 1);
  put_close(text, "}", 0);
  return finish(text, err);
}
