/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Reprise, tier 3: a graph, its recording and its runs in one HTML file that any browser opens, without a network.
 * Calling rules: reprise.h. What is shown is the document of view.h; docs/view.md shows the page.
 */
#ifndef REPRISE_PAGE_H
#define REPRISE_PAGE_H

#include <reprise/types.h>
#include <reprise/view.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Writes the page to a file; if the path ends in ".json", the document alone; if it ends in ".dot", Graphviz DOT, of
 * the recording if there is one. The file appears complete or not at all. RP_ERR_UNAVAILABLE: the library was built
 * without the page, because Node.js and npm were missing; the document and DOT are still written. Otherwise errors are
 * those of rp_view_data, and RP_ERR_FILE. */
RP_API RP_CHECKED rp_status rp_view_write(const rp_view_source *source, const char *path, rp_error *err);

/* One page with several documents, which it shows beside each other to compare: of recordings, or written before. */
typedef struct rp_page rp_page;

/* Begins a page, which appears under its name when it is complete, or not at all. RP_ERR_UNAVAILABLE: as for
 * rp_view_write. RP_ERR_FILE: the file cannot be written. A page is used by one thread at a time. */
RP_API RP_CHECKED rp_status rp_page_begin(const char *path, rp_page **page, rp_error *err);
/* Adds the document of a source. Errors are those of rp_view_data, and RP_ERR_FILE; the page can then only be given
 * up. */
RP_API RP_CHECKED rp_status rp_page_add(rp_page *page, const rp_view_source *source, rp_error *err);
/* Adds a document that rp_view_data wrote; it is not checked, but nothing in it can end the element of the page that
 * holds it. The text is not used after the call. RP_ERR_FILE: it cannot be written. */
RP_API RP_CHECKED rp_status rp_page_add_document(rp_page *page, const char *json, size_t size_bytes, rp_error *err);
/* Completes the page, gives the file its name and frees the page, also on failure. RP_ERR_FILE: the file cannot be
 * written; nothing of it is left. */
RP_API RP_CHECKED rp_status rp_page_end(rp_page *page, rp_error *err);
/* Gives up the page: nothing of it is left. NULL does nothing. */
RP_API void rp_page_abort(rp_page *page);

/* Measures what a device can do at best in the fields of a recording: products per second when the whole device
 * multiplies in registers, and bytes per second when it copies. Of a group, the first device is measured. This takes
 * some tenths of a second, in which nothing else should run on the device. Comparing a dispatch with these ceilings
 * shows what bounds it. */
RP_API RP_CHECKED rp_status rp_view_measure(rp_device *device, const rp_recording *recording,
                                            rp_view_ceilings *ceilings, rp_error *err);

/* The two measurements behind it, each the least of several runs: the nanoseconds that a product in this prime field
 * takes when all of the device multiplies in registers, and those that a byte takes to be read or written when
 * size_bytes, a multiple of 32, are copied. *ns is 0 if the device's clock is too coarse to tell. Errors are those of
 * rp_record and of its runs. */
RP_API RP_CHECKED rp_status rp_view_product_ns(rp_device *device, rp_field field, double *ns, rp_error *err);
RP_API RP_CHECKED rp_status rp_view_byte_ns(rp_device *device, uint64_t size_bytes, double *ns, rp_error *err);

#ifdef __cplusplus
}
#endif
#endif
