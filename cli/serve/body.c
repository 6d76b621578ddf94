/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "body.h"

#include <reprise/reprise.h>

#include <string.h>

static bool take(serve_budget *budget, uint64_t bytes) {
  uint64_t held = atomic_load(&budget->held);
  do {
    if (bytes > budget->most || held > budget->most - bytes) return 0;
  } while (!atomic_compare_exchange_weak(&budget->held, &held, held + bytes));
  return 1;
}

bool serve_body_reserve(serve_body *body, serve_budget *budget, uint64_t bytes) {
  serve_body larger = {.bytes = body->bytes, .room = (size_t)bytes, .budget = budget};
  if (bytes <= body->room) return 1;
  if (bytes > SIZE_MAX / 2 || !take(budget, bytes)) return 0;
  larger.data = rp_secret_alloc(larger.room);
  if (!larger.data) {
    atomic_fetch_sub(&budget->held, bytes);
    return 0;
  }
  if (body->bytes) memcpy(larger.data, body->data, body->bytes);
  serve_body_free(body);
  *body = larger;
  return 1;
}

bool serve_body_add(serve_body *body, serve_budget *budget, const void *data, size_t bytes) {
  if (bytes > body->room - body->bytes) {
    const uint64_t twice = (uint64_t)body->room * 2, need = (uint64_t)body->bytes + bytes;
    if (!serve_body_reserve(body, budget, need > twice ? need : twice) && !serve_body_reserve(body, budget, need))
      return 0;
  }
  memcpy(body->data + body->bytes, data, bytes);
  body->bytes += bytes;
  return 1;
}

void serve_body_free(serve_body *body) {
  rp_secret_free(body->data, body->room);
  if (body->room) atomic_fetch_sub(&body->budget->held, body->room);
  *body = (serve_body){0};
}
