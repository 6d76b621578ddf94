/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "seal.h"

#include "saved/format.h"

enum { TABLE = SAVED_HEADER_BYTES, ENTRY = SAVED_ENTRY_BYTES };

static void put_u64(uint8_t *at, uint64_t x) {
  for (int i = 0; i < 8; i++) at[i] = (uint8_t)(x >> 8 * i);
}

static uint32_t sections_of(const uint8_t *file, size_t size) {
  const uint32_t n = size >= TABLE ? g16_u32(file + 12) : 0;
  return n <= SAVED_SECTIONS_MAX && (size - TABLE) / ENTRY >= n ? n : 0;
}

static uint8_t *content_of(uint8_t *file, size_t size, const uint8_t *entry, size_t *bytes) {
  const uint64_t offset = g16_u64(entry + 8), length = g16_u64(entry + 16);
  *bytes = (size_t)length;
  return offset <= size && length <= size - offset ? file + offset : NULL;
}

uint8_t *saved_section_of(uint8_t *file, size_t file_size, uint32_t id, size_t *size) {
  for (uint32_t i = 0; i < sections_of(file, file_size); i++)
    if (g16_u32(file + TABLE + (size_t)i * ENTRY) == id)
      return content_of(file, file_size, file + TABLE + (size_t)i * ENTRY, size);
  *size = 0;
  return NULL;
}

/* The digests of the constants' contents, where they lie inside the file. */
static void seal_contents(uint8_t *file, size_t size) {
  size_t listed, held;
  uint8_t *list = saved_section_of(file, size, SAVED_CONSTANTS, &listed);
  const uint8_t *data = saved_section_of(file, size, SAVED_DATA, &held);
  for (size_t at = 8; list && data && listed >= SAVED_CONSTANT_BYTES && at <= listed - SAVED_CONSTANT_BYTES;
       at += SAVED_CONSTANT_BYTES) {
    const uint64_t offset = g16_u64(list + at), bytes = g16_u64(list + at + 8);
    if (offset <= held && bytes <= held - offset) pedersen_sha256(data + offset, (size_t)bytes, list + at + 16);
  }
}

void saved_seal(uint8_t *file, size_t size) {
  const uint32_t n = sections_of(file, size);
  uint8_t constants[SHA256_BYTES] = {0};
  pedersen_sha256_state state;
  if (size < TABLE) return;
  put_u64(file + 16, size);
  seal_contents(file, size);
  for (uint32_t i = 0; i < n; i++) {
    uint8_t *entry = file + TABLE + (size_t)i * ENTRY;
    size_t bytes;
    const uint8_t *content = content_of(file, size, entry, &bytes);
    const uint32_t id = g16_u32(entry);
    if (content) pedersen_sha256(content, bytes, entry + 32);
    if (id == SAVED_CONSTANTS) memcpy(constants, entry + 32, sizeof constants);
    if (id == SAVED_DATA) memcpy(entry + 32, constants, sizeof constants); /* it comes later */
  }
  pedersen_sha256_begin(&state);
  pedersen_sha256_add(&state, file, 32);
  pedersen_sha256_add(&state, file + TABLE, (size_t)n * ENTRY);
  pedersen_sha256_end(&state, file + 32);
}
