/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "page.h"

#include "formats/fail.h"

/* Embedded by graphs/CMakeLists.txt; both are the same where the page is not built. */
extern const char rp_view_page[], rp_view_page_end[];

static const char marker[] = "<!-- documents -->"; /* once in the page, which graphs/view/page/build.mjs checks */

static uint64_t page_bytes(void) { return (uintptr_t)rp_view_page_end - (uintptr_t)rp_view_page; }

static uint64_t head_bytes(void) {
  const char *at = memmem(rp_view_page, page_bytes(), marker, sizeof marker - 1);
  return at ? (uint64_t)(at - rp_view_page) : 0;
}

rp_status view_page_check(rp_error *err) {
  if (head_bytes()) return RP_OK;
  return support_fail(
      err, RP_ERR_UNAVAILABLE,
      "this build has no page to show graphs in, which is made by Node.js and npm, with esbuild from the network: "
      "apt-get install nodejs npm, and build again; if it has been done, CMake says why it is left out; JSON and DOT "
      "need none of these");
}

rp_status view_page_head(support_output *output, rp_error *err) {
  const rp_status status = view_page_check(err);
  return status ? status : support_output_write(output, rp_view_page, head_bytes(), err);
}

rp_status view_page_begin(support_output *output, rp_error *err) {
  static const char text[] = "<script type=\"application/json\" class=\"document\">";
  return support_output_write(output, text, sizeof text - 1, err);
}

/* In JSON, "<" stands in strings only, where its escape means the same and ends no element. */
rp_status view_page_text(support_output *output, const char *text, uint64_t bytes, rp_error *err) {
  rp_status status = RP_OK;
  while (bytes && status == RP_OK) {
    const char *at = memchr(text, '<', bytes);
    const uint64_t n = at ? (uint64_t)(at - text) : bytes;
    if (n) status = support_output_write(output, text, n, err);
    if (status == RP_OK && at) status = support_output_write(output, "\\u003c", 6, err);
    text += n + (at != NULL);
    bytes -= n + (at != NULL);
  }
  return status;
}

rp_status view_page_end(support_output *output, rp_error *err) {
  return support_output_write(output, "</script>\n", 10, err);
}

rp_status view_page_tail(support_output *output, rp_error *err) {
  const uint64_t from = head_bytes() + sizeof marker - 1;
  return support_output_write(output, rp_view_page + from, page_bytes() - from, err);
}
