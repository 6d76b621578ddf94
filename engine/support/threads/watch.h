/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Looking for a change without sleeping, where it is expected sooner than a sleeping thread would wake.
 */
#ifndef REPRISE_SUPPORT_WATCH_H
#define REPRISE_SUPPORT_WATCH_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

uint64_t support_now_ns(void); /* monotonic */

/* Returns when *counter is no longer `seen`, or after timeout_ns; whether it has changed. What was written before the
 * change is then visible. Occupies a processor. */
bool support_watch(const atomic_uint *counter, unsigned seen, uint64_t timeout_ns);

#endif
