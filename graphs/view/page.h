/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The page into which documents are put: a head and a tail, with the documents as script elements between them.
 */
#ifndef REPRISE_VIEW_PAGE_H
#define REPRISE_VIEW_PAGE_H

#include "files/output.h"

/* RP_ERR_UNAVAILABLE, with what is to be installed, if the library was built without the page. */
rp_status view_page_check(rp_error *err);
rp_status view_page_head(support_output *output, rp_error *err);
/* Around each document. Between them, text goes through view_page_text, in pieces of any size. */
rp_status view_page_begin(support_output *output, rp_error *err);
rp_status view_page_text(support_output *output, const char *text, uint64_t bytes, rp_error *err);
rp_status view_page_end(support_output *output, rp_error *err);
rp_status view_page_tail(support_output *output, rp_error *err);

#endif
