/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "hostile.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

const char *hostile_kind_name(hostile_kind kind) {
  switch (kind) {
#define NAME(name, text) \
  case name: return text;
    HOSTILE_KIND_LIST(NAME)
#undef NAME
  }
  return "unknown";
}

const char *hostile_fixture(const hostile_case *c) { return c->fixture ? c->fixture : "multiplier_bn254"; }

const char *hostile_source(hostile_kind kind) {
  switch (kind) {
  case HOSTILE_ZKEY:
  case HOSTILE_CHECKED:
  case HOSTILE_RELEASE: return "circuit.zkey";
  case HOSTILE_WTNS:
  case HOSTILE_PROVE: return "witness.wtns";
  case HOSTILE_R1CS: return "circuit.r1cs";
  case HOSTILE_VKEY: return "verification_key.json";
  case HOSTILE_PUBLIC: return "public.json";
  case HOSTILE_PROOF:
  case HOSTILE_OUTPUT: break;
  }
  return "proof.json";
}

int hostile_slurp(const char *path, hostile_buffer *buffer) {
  *buffer = (hostile_buffer){0};
  FILE *file = fopen(path, "rb");
  struct stat st;
  if (!file) return 0;
  if (fstat(fileno(file), &st) == 0 && (buffer->data = malloc((size_t)st.st_size + 1)))
    buffer->size = fread(buffer->data, 1, (size_t)st.st_size, file);
  fclose(file);
  if (buffer->data && buffer->size == (size_t)st.st_size) return 1;
  free(buffer->data);
  return 0;
}

int hostile_bytes(const hostile_case *c, const char *data_folder, hostile_buffer *buffer) {
  char path[4096];
  snprintf(path, sizeof path, "%s/fixtures/%s/%s", data_folder, hostile_fixture(c), hostile_source(c->kind));
  if (!hostile_slurp(path, buffer)) return 0;
  buffer->from = c->from;
  buffer->to = c->to;
  if (c->damage) c->damage(buffer, c->x, c->y, c->z);
  return 1;
}

static int write_file(const char *path, const hostile_buffer *buffer) {
  FILE *file = fopen(path, "wb");
  if (!file) return 0;
  int good = fwrite(buffer->data, 1, buffer->size, file) == buffer->size;
  return (fclose(file) == 0) && good;
}

int hostile_write(const hostile_case *c, const char *data_folder, const char *folder, char *path, size_t room) {
  const char *tail = c->kind == HOSTILE_OUTPUT && c->to ? c->to : "";
  snprintf(path, room, "%s/%s", folder, c->name);
  switch (c->node) {
  case HOSTILE_MISSING: break;
  case HOSTILE_DEVICE: snprintf(path, room, "%s", c->to); return 1;
  case HOSTILE_OTHER: snprintf(path, room, "%s/fixtures/%s", data_folder, c->to); return 1;
  case HOSTILE_FOLDER:
    if (mkdir(path, 0755) != 0) return 0;
    break;
  case HOSTILE_PIPE:
    if (mkfifo(path, 0644) != 0) return 0;
    break;
  case HOSTILE_FILE: {
    hostile_buffer buffer;
    if (!hostile_bytes(c, data_folder, &buffer)) return 0;
    int good = write_file(path, &buffer);
    free(buffer.data);
    if (!good) return 0;
    break;
  }
  }
  snprintf(path + strlen(path), room - strlen(path), "%s", tail);
  return 1;
}
