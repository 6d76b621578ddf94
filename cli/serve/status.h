/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The status of a service. The lock is held by the caller.
 */
#ifndef REPRISE_SERVE_STATUS_H
#define REPRISE_SERVE_STATUS_H

#include "service.h"
#include "text.h"

/* One key, and all of them, as JSON. */
void serve_put_key(support_text *text, serve *service, const serve_key *key);
void serve_put_keys(support_text *text, serve *service);
/* A member "service": the queue, memory, devices. */
void serve_put_service(support_text *text, serve *service);
/* In the text format of Prometheus. */
void serve_put_metrics(support_text *text, serve *service);

#endif
