/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The time on the device of a profiled run, from the document in which rp_view_run describes it.
 */
#include "bench.h"
#include "spans.h"

#include <reprise/view.h>

#include <jansson.h>
#include <stdlib.h>

static int keep(void *user, const char *text, size_t bytes) { return fwrite(text, 1, bytes, user) != bytes; }

/* NULL without memory. */
static json_t *read_run(const rp_run *run, rp_error *err) {
  char *text = NULL;
  size_t bytes = 0;
  FILE *file = open_memstream(&text, &bytes);
  if (!file) return NULL;
  rp_status status = rp_view_run(run, keep, file, err);
  if (fclose(file) != 0) status = RP_ERR_MEMORY;
  json_t *root = status == RP_OK ? json_loadb(text, bytes, 0, NULL) : NULL;
  free(text);
  return root;
}

/* An entry is step, lane, begin, end; the step of a copy is -1 on the way to the device, and -2 on the way back. */
rp_status bench_device_time(const rp_run *run, uint64_t *ns, rp_error *err) {
  json_t *root = read_run(run, err);
  const json_t *list = json_object_get(root, "spans");
  cli_span *spans = calloc(json_array_size(list) + 1, sizeof *spans);
  uint64_t up_ns = 0;
  uint32_t n = 0;
  for (size_t i = 0; spans && i < json_array_size(list); i++) {
    const json_t *entry = json_array_get(list, i);
    const json_int_t step = json_integer_value(json_array_get(entry, 0));
    const cli_span span = {.begin_ns = (uint64_t)json_integer_value(json_array_get(entry, 2)),
                           .end_ns = (uint64_t)json_integer_value(json_array_get(entry, 3))};
    if (step >= 0) spans[n++] = span;
    if (step == -1 && up_ns < span.end_ns) up_ns = span.end_ns;
  }
  if (spans) *ns = cli_time_on_device(spans, n, up_ns);
  const bool good = root && spans;
  if (!good && err->status == RP_OK) err->status = RP_ERR_MEMORY;
  free(spans);
  json_decref(root);
  return good ? RP_OK : err->status;
}
