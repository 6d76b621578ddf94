/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Reprise, tier 3: a graph, its recording and its runs in one HTML file that any browser opens, without a network.
 * Calling rules: reprise.h. What is shown is the document of view.h; docs/view.md shows the page.
 */
#ifndef REPRISE_PAGE_H
#define REPRISE_PAGE_H

#include <reprise/view.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Writes the page to a file; if the path ends in ".json", the document alone; if it ends in ".dot", Graphviz DOT, of
 * the recording if there is one. The file appears complete or not at all. RP_ERR_UNAVAILABLE: the library was built
 * without the page, because Node.js and npm were missing; the document and DOT are still written. Otherwise errors are
 * those of rp_view_data, and RP_ERR_FILE. */
RP_API RP_CHECKED rp_status rp_view_write(const rp_view_source *source, const char *path, rp_error *err);

/* Measures what a device can do at best in the fields of a recording: products per second when the whole device
 * multiplies in registers, and bytes per second when it copies. This takes some tenths of a second, in which nothing
 * else should run on the device. Comparing a dispatch with these ceilings shows what bounds it. */
RP_API RP_CHECKED rp_status rp_view_measure(rp_device *device, const rp_recording *recording,
                                            rp_view_ceilings *ceilings, rp_error *err);

#ifdef __cplusplus
}
#endif
#endif
