/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * rp_view_write: the struct that says what to write may be older or newer than the library; a graph that cannot be
 * written leaves no file.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include <reprise/ops.h>
#include <reprise/page.h>
#include <reprise/view.h>

static char folder[] = "/tmp/reprise_view_XXXXXX";
static char path[64];

static int make_folder(void **state) {
  (void)state;
  return mkdtemp(folder) ? snprintf(path, sizeof path, "%s/graph.dot", folder) < 0 : 1;
}

static int remove_folder(void **state) {
  (void)state;
  (void)unlink(path);
  return rmdir(folder);
}

/* 1 if the file has the text. */
static int file_has(const char *text) {
  char read[4096];
  FILE *file = fopen(path, "rb");
  if (!file) return 0;
  const size_t n = fread(read, 1, sizeof read - 1, file);
  fclose(file);
  read[n] = 0;
  return strstr(read, text) != NULL;
}

static void any_size_of_the_source(void **state) {
  /* The first has no more than the graph, the second more than this library knows. */
  struct {
    rp_view_source known;
    uint64_t later[8];
  } source = {.later = {UINT64_MAX}};
  const uint32_t sizes[] = {offsetof(rp_view_source, recording), sizeof source, sizeof source.known};
  rp_context *context;
  rp_graph *g;
  (void)state;
  assert_int_equal(rp_context_create(NULL, &context, NULL), RP_OK);
  assert_int_equal(rp_graph_create(context, "shown", &g, NULL), RP_OK);
  rp_graph_output(g, "out", rp_neg(g, rp_graph_input(g, "x", rp_type_field(RP_FIELD_F97), 3, 0)), 0);
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
    source.known = (rp_view_source){.struct_size = sizes[i], .graph = g};
    /* Beyond the end of a short struct is whatever comes next in the caller's memory. */
    if (i == 0) source.known.recording = (const rp_recording *)(uintptr_t)8;
    assert_int_equal(rp_view_write(&source.known, path, NULL), RP_OK);
    assert_true(file_has("neg"));
    assert_int_equal(unlink(path), 0);
  }
  rp_graph_destroy(g);
  rp_context_destroy(context);
}

static void what_cannot_be_written(void **state) {
  const rp_view_source unset = {0}, nothing = {.struct_size = sizeof nothing};
  rp_error err = {0};
  (void)state;
  assert_int_equal(rp_view_write(NULL, path, &err), RP_ERR_ARGUMENT);
  assert_int_equal(rp_view_write(&nothing, NULL, &err), RP_ERR_ARGUMENT);
  assert_int_equal(rp_view_write(&unset, path, &err), RP_ERR_ARGUMENT);
  assert_non_null(strstr(err.reason, "struct_size"));
  assert_int_equal(rp_view_write(&nothing, path, &err), RP_ERR_ARGUMENT);
  assert_int_not_equal(access(path, F_OK), 0);
}

/* Two documents, and a text that would end its element; where the page is not built, nothing is written. */
static void a_page_has_several_documents(void **state) {
  static const char ending[] = "{\"a\": \"</script>\"}";
  rp_page *page = (void *)path; /* becomes NULL */
  rp_error err = {0};
  rp_view_source unset = {0};
  (void)state;
  assert_int_equal(rp_page_begin(NULL, &page, &err), RP_ERR_ARGUMENT);
  assert_null(page);
  const rp_status status = rp_page_begin(path, &page, &err);
  if (status == RP_ERR_UNAVAILABLE) {
    assert_null(page);
    assert_int_not_equal(access(path, F_OK), 0);
    return;
  }
  assert_int_equal(status, RP_OK);
  assert_int_equal(rp_page_add(page, &unset, &err), RP_ERR_ARGUMENT);
  assert_int_equal(rp_page_add_document(page, ending, sizeof ending - 1, &err), RP_OK);
  assert_int_equal(rp_page_add_document(page, "{}", 2, &err), RP_OK);
  assert_int_not_equal(access(path, F_OK), 0); /* not before it is complete */
  assert_int_equal(rp_page_end(page, &err), RP_OK);
  FILE *file = fopen(path, "rb");
  assert_non_null(file);
  char *text = calloc(1, 8 << 20);
  assert_non_null(text);
  assert_true(fread(text, 1, (8 << 20) - 1, file) > 0);
  fclose(file);
  const char *first = strstr(text, "{\"a\": \"\\u003c/script>\"}");
  assert_true(first && strstr(first, ">{}</script>") && strstr(first, "</html>"));
  free(text);
  assert_int_equal(unlink(path), 0);
  assert_int_equal(rp_page_begin(path, &page, &err), RP_OK);
  rp_page_abort(page);
  rp_page_abort(NULL);
  assert_int_not_equal(access(path, F_OK), 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(any_size_of_the_source), cmocka_unit_test(what_cannot_be_written),
                                     cmocka_unit_test(a_page_has_several_documents)};
  return cmocka_run_group_tests_name("view write", tests, make_folder, remove_folder);
}
