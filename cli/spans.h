/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The time that a run takes on the device.
 */
#ifndef REPRISE_CLI_SPANS_H
#define REPRISE_CLI_SPANS_H

#include <stdint.h>

/* Of a dispatch, or of a worker's share of it. */
typedef struct cli_span {
  uint64_t begin_ns, end_ns;
} cli_span;

/* From the begin of the first span to the end of the last, without the time in which nothing but copies of inputs is
 * under way: that before `up_ns`, when the last of them ends, in which there is no span. Sorts the spans. 0 if there
 * are none. */
uint64_t cli_time_on_device(cli_span *spans, uint32_t n, uint64_t up_ns);

#endif
