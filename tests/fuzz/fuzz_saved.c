/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Saved graphs as an attacker makes them: every input gets right digests before it is loaded. What loads can be saved,
 * which gives a file that loads and is saved to the same bytes.
 */
#include "fuzz.h"

#include "graphs/saved/seal.h"
#include "saved/format.h"

#include <reprise/save.h>

#include <unistd.h>

static rp_context *context;
static char path[64];

static void remove_file(void) { remove(path); }

static void begin(void) {
  FUZZ_NEED(rp_context_create(NULL, &context, NULL) == RP_OK);
  snprintf(path, sizeof path, "/tmp/reprise_fuzz_saved_%ld", (long)getpid());
  atexit(remove_file);
}

static uint8_t *save(const rp_graph *g, size_t *size) {
  rp_error error = {0};
  FUZZ_NEED(fuzz_is_ok(rp_graph_save(g, path, NULL, &error), &error));
  FILE *file = fopen(path, "rb");
  FUZZ_NEED(file && fseek(file, 0, SEEK_END) == 0);
  *size = (size_t)ftell(file);
  rewind(file);
  uint8_t *data = malloc(*size);
  FUZZ_NEED(data && fread(data, 1, *size, file) == *size);
  fclose(file);
  return data;
}

static rp_graph *load(const uint8_t *data, size_t size, uint32_t flags) {
  const rp_load_options options = {.struct_size = sizeof options, .flags = flags};
  rp_graph *g;
  rp_error error = {0};
  const int good = fuzz_is_ok(rp_graph_load_memory(context, data, size, &options, &g, &error), &error);
  FUZZ_NEED(good == (g != NULL));
  return g;
}

static void compare(const rp_graph *g) {
  size_t size, size_again;
  uint8_t *file = save(g, &size);
  rp_graph *loaded = load(file, size, 0);
  FUZZ_NEED(loaded);
  uint8_t *again = save(loaded, &size_again);
  FUZZ_NEED(size == size_again && memcmp(file, again, size) == 0);
  rp_graph_destroy(loaded);
  free(file);
  free(again);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  if (!context) begin();
  uint8_t *file = malloc(size ? size : 1);
  FUZZ_NEED(file);
  memcpy(file, data, size);
  if (size >= SAVED_HEADER_BYTES) memcpy(file, SAVED_MAGIC, sizeof SAVED_MAGIC - 1);
  saved_seal(file, size);
  rp_graph *g = load(file, size, size % 2 ? RP_LOAD_UNCHECKED : 0);
  if (g) compare(g);
  rp_graph_destroy(g);
  free(file);
  return 0;
}
