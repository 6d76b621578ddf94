/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "formats/fail.h"
#include "page.h"

#include <reprise/op.h>
#include <reprise/page.h>

#include <stdlib.h>

typedef enum form { FORM_PAGE, FORM_JSON, FORM_DOT } form;

static form form_of(const char *path) {
  const size_t n = strlen(path);
  if (n >= 5 && strcmp(path + n - 5, ".json") == 0) return FORM_JSON;
  return n >= 4 && strcmp(path + n - 4, ".dot") == 0 ? FORM_DOT : FORM_PAGE;
}

typedef struct sink {
  support_output *output;
  form form;
  rp_status status;
  rp_error *err;
} sink;

static int pass_on(void *user, const char *text, size_t bytes) {
  sink *s = user;
  s->status = s->form == FORM_PAGE ? view_page_text(s->output, text, bytes, s->err)
                                   : support_output_write(s->output, text, bytes, s->err);
  return s->status != RP_OK;
}

static rp_status put(const rp_view_source *source, sink *s, rp_error *err) {
  rp_error said = {0};
  rp_status status;
  if (s->form != FORM_DOT)
    status = rp_view_data(source, pass_on, s, &said);
  else if (source->recording)
    status = rp_recording_export(source->recording, RP_EXPORT_DOT, pass_on, s, &said);
  else
    status = rp_graph_export(source->graph, RP_EXPORT_DOT, pass_on, s, &said);
  if (s->status != RP_OK) return s->status; /* the output's own reason */
  if (status != RP_OK && err) *err = said;
  return status;
}

rp_status rp_view_write(const rp_view_source *given, const char *path, rp_error *err) {
  rp_view_source own;
  const rp_view_source *source = &own;
  if (!given || !path) return support_fail(err, RP_ERR_ARGUMENT, "rp_view_write: source and path must not be NULL");
  if (!rp_options_read(&own, sizeof own, given))
    return support_fail(err, RP_ERR_ARGUMENT, "rp_view_write: source->struct_size is not set");
  sink s = {.form = form_of(path), .err = err};
  rp_status status = s.form == FORM_PAGE ? view_page_check(err) : RP_OK;
  if (status == RP_OK) status = support_output_begin(path, &s.output, err);
  if (status == RP_OK && s.form == FORM_PAGE) status = view_page_head(s.output, err);
  if (status == RP_OK && s.form == FORM_PAGE) status = view_page_begin(s.output, err);
  if (status == RP_OK) status = put(source, &s, err);
  if (status == RP_OK && s.form == FORM_PAGE) status = view_page_end(s.output, err);
  if (status == RP_OK && s.form == FORM_PAGE) status = view_page_tail(s.output, err);
  if (status == RP_OK) return support_output_publish(&s.output, 1, err);
  support_output_abort(s.output);
  return status;
}

/* ---- A page with several documents ------------------------------------------------------------------------------- */

struct rp_page {
  support_output *output;
};

rp_status rp_page_begin(const char *path, rp_page **page, rp_error *err) {
  if (!page) return support_fail(err, RP_ERR_ARGUMENT, "rp_page_begin: page is NULL");
  *page = NULL;
  if (!path) return support_fail(err, RP_ERR_ARGUMENT, "rp_page_begin: path is NULL");
  rp_status status = view_page_check(err);
  if (status != RP_OK) return status;
  rp_page *made = calloc(1, sizeof *made);
  if (!made) return support_fail(err, RP_ERR_MEMORY, "out of memory for a page");
  status = support_output_begin(path, &made->output, err);
  if (status == RP_OK) status = view_page_head(made->output, err);
  if (status == RP_OK)
    *page = made;
  else
    rp_page_abort(made);
  return status;
}

rp_status rp_page_add(rp_page *page, const rp_view_source *given, rp_error *err) {
  rp_view_source source;
  if (!page || !given) return support_fail(err, RP_ERR_ARGUMENT, "rp_page_add: page or source is NULL");
  if (!rp_options_read(&source, sizeof source, given))
    return support_fail(err, RP_ERR_ARGUMENT, "rp_page_add: source->struct_size is not set");
  sink s = {.output = page->output, .form = FORM_PAGE, .err = err};
  rp_status status = view_page_begin(s.output, err);
  if (status == RP_OK) status = put(&source, &s, err);
  return status == RP_OK ? view_page_end(s.output, err) : status;
}

rp_status rp_page_add_document(rp_page *page, const char *json, size_t size_bytes, rp_error *err) {
  if (!page || !json) return support_fail(err, RP_ERR_ARGUMENT, "rp_page_add_document: page or json is NULL");
  rp_status status = view_page_begin(page->output, err);
  if (status == RP_OK) status = view_page_text(page->output, json, size_bytes, err);
  return status == RP_OK ? view_page_end(page->output, err) : status;
}

rp_status rp_page_end(rp_page *page, rp_error *err) {
  if (!page) return support_fail(err, RP_ERR_ARGUMENT, "rp_page_end: page is NULL");
  rp_status status = view_page_tail(page->output, err);
  if (status == RP_OK) {
    status = support_output_publish(&page->output, 1, err);
    page->output = NULL;
  }
  rp_page_abort(page);
  return status;
}

void rp_page_abort(rp_page *page) {
  if (!page) return;
  support_output_abort(page->output);
  free(page);
}
