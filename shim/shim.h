/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef REPRISE_SHIM_SHIM_H
#define REPRISE_SHIM_SHIM_H

#include <reprise/reprise.h>

/* Copies the reason into the caller's buffer, if there is one, and returns `code`. */
int shim_error(const rp_error *err, char *message, unsigned long long capacity, int code);

#endif
