/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Loading a saved graph.
 */
#include "build.h"
#include "devices.h"

/* The name of the second file must be a plain name, so that a graph cannot make the program open other places. */
static rp_status read_beside(const saved_parts *p, saved_source *source, rp_error *err) {
  const saved_container *c = p->container;
  if (!p->section[SAVED_BESIDE]) return RP_OK;
  saved_cursor at = saved_begin(p, SAVED_BESIDE);
  source->beside = saved_string(p, saved_take_u32(&at));
  const uint32_t zero = saved_take_u32(&at);
  source->beside_bytes = saved_take_u64(&at);
  if (at.failed || at.left || zero || !source->beside || strchr(source->beside, '/') ||
      strcmp(source->beside, ".") == 0 || strcmp(source->beside, "..") == 0)
    return saved_damaged(c->file, "the name of the file with its constants is no plain name", err);
  return RP_OK;
}

/* Makes the graph and gives it its constants. */
static rp_status make_graph(rp_context *context, saved_parts *p, saved_memory *memory, rp_graph **graph,
                            rp_error *err) {
  saved_cursor c = saved_begin(p, SAVED_SCOPES);
  const char *name = saved_string(p, saved_take_u32(&c));
  rp_graph *g = NULL;
  rp_status status =
      name ? rp_graph_create(context, name, &g, err) : saved_damaged(p->container->file, "it has no name", err);
  if (status == RP_OK && memory) status = rp_graph_keep(g, memory, saved_memory_release, err);
  if (status != RP_OK) {
    saved_memory_release(memory);
    rp_graph_destroy(g);
    return status;
  }
  status = saved_build(p, g, err);
  if (status == RP_OK)
    *graph = g;
  else
    rp_graph_destroy(g);
  return status;
}

static rp_status load(rp_context *context, const support_file *file, const char *path, const rp_load_options *options,
                      rp_graph **graph, rp_error *err) {
  saved_container container;
  saved_parts parts = {.container = &container};
  saved_source source = {.context = context, .container = &container, .path = path, .options = options};
  saved_memory *memory = NULL;
  rp_status status = saved_open(file, SAVED_MAGIC, &container, err);
  if (status == RP_OK) status = saved_parts_read(&parts, options, err);
  if (status == RP_OK) status = read_beside(&parts, &source, err);
  if (status == RP_OK) status = saved_contents_load(&source, &parts.contents, &parts.n_contents, &memory, err);
  parts.mapped = memory && memory->file;
  if (status == RP_OK) status = make_graph(context, &parts, memory, graph, err);
  if (status == RP_OK && (status = saved_devices_load(&container, *graph, options->flags, err)) != RP_OK) {
    rp_graph_destroy(*graph);
    *graph = NULL;
  }
  saved_parts_free(&parts);
  return status;
}

static rp_status check_arguments(const rp_context *context, const rp_load_options *given, rp_load_options *options,
                                 rp_error *err) {
  rp_status status = rp_context_check(context, err);
  if (status == RP_OK) status = graphs_options(options, sizeof *options, given, "rp_load_options", err);
  if (status != RP_OK) return status;
  if (options->flags & ~(RP_LOAD_MAP | RP_LOAD_UNCHECKED | RP_LOAD_KERNELS))
    return support_fail(err, RP_ERR_ARGUMENT, "rp_graph_load: flags 0x%x are not for loading.", options->flags);
  bool good = !options->n_catalogs || options->catalogs;
  for (uint32_t i = 0; good && i < options->n_catalogs; i++) good = options->catalogs[i] != NULL;
  return good ? RP_OK : support_fail(err, RP_ERR_ARGUMENT, "rp_graph_load: a catalog is NULL.");
}

rp_status rp_graph_load(rp_context *context, const char *path, const rp_load_options *options, rp_graph **graph,
                        rp_error *err) {
  rp_load_options o;
  support_file *file = NULL;
  if (graph) *graph = NULL;
  if (!context || !path || !graph)
    return support_fail(err, RP_ERR_ARGUMENT, "rp_graph_load: a context, a path and room for a graph are needed.");
  rp_status status = check_arguments(context, options, &o, err);
  if (status == RP_OK) status = support_file_open(path, 0, &file, err);
  if (status == RP_OK) status = load(context, file, path, &o, graph, err);
  support_file_close(file);
  return status;
}

rp_status rp_graph_load_memory(rp_context *context, const void *data, uint64_t size_bytes,
                               const rp_load_options *options, rp_graph **graph, rp_error *err) {
  rp_load_options o;
  support_file *file = NULL;
  if (graph) *graph = NULL;
  if (!context || !data || !graph)
    return support_fail(err, RP_ERR_ARGUMENT, "rp_graph_load_memory: a context, data and room for a graph are needed.");
  rp_status status = check_arguments(context, options, &o, err);
  if (status == RP_OK) status = support_file_wrap("saved graph", data, size_bytes, &file, err);
  if (status == RP_OK) status = load(context, file, NULL, &o, graph, err);
  support_file_close(file);
  return status;
}
