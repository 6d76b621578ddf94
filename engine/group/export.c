/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * What documents say of a group: its devices, what each piece takes from others, where results come from.
 */
#include "group.h"

static void put_device(rp_text *t, const rp_device *d) {
  rp_text_format(t, "{\"kind\": \"%s\", \"index\": %u, \"name\": ", d->backend->name, d->info.index);
  rp_text_quote(t, d->info.name);
  rp_text_format(t, ", \"workers\": %u}", d->info.limits.workers);
}

/* The pieces without which it does not start, each once. */
static void put_after(rp_text *t, const rp_pieces *pieces, const rp_piece *piece) {
  const char *comma = "";
  rp_text_put(t, ", \"after\": [");
  for (uint32_t p = 0; p < pieces->n && &pieces->items[p] != piece; p++) {
    bool needed = 0;
    for (uint32_t i = 0; i < piece->n_after; i++) needed |= piece->after[i] == p;
    for (uint32_t i = 0; i < piece->n_waits; i++) needed |= piece->waits[i] == p;
    for (uint32_t i = 0; i < piece->n_inputs; i++)
      needed |= piece->inputs[i].piece == p && !rp_piece_shares(pieces, &piece->inputs[i]);
    if (!needed) continue;
    rp_text_format(t, "%s%u", comma, p);
    comma = ", ";
  }
  rp_text_put(t, "]");
}

/* From a piece, or from the host: then the source is a value of the whole graph. */
static void put_inputs(rp_text *t, const rp_piece *piece) {
  rp_text_put(t, ", \"inputs\": [");
  for (uint32_t i = 0; i < piece->n_inputs; i++) {
    const rp_piece_input *in = &piece->inputs[i];
    rp_text_format(t, "%s{\"value\": %u, ", i ? ", " : "", in->value.id);
    if (in->piece == RP_NONE)
      rp_text_format(t, "\"piece\": null, \"source\": %u", in->root + 1);
    else
      rp_text_format(t, "\"piece\": %u, \"source\": %u", in->piece, in->source.id);
    rp_text_put(t, ", \"route\": ");
    rp_text_quote(t, rp_route_name(in->route));
    rp_text_put(t, "}");
  }
  rp_text_put(t, "]");
}

void rp_group_export_devices(rp_text *t, const rp_pieces *pieces) {
  rp_text_put(t, "\"devices\": [");
  for (uint32_t d = 0; d < pieces->group->n_members; d++) {
    rp_text_put(t, d ? ", " : "");
    put_device(t, pieces->group->members[d]);
  }
  rp_text_put(t, "]");
}

void rp_group_export_piece(rp_text *t, const rp_pieces *pieces, const rp_piece *piece) {
  rp_text_format(t, "\"device\": %u", piece->device);
  put_after(t, pieces, piece);
  put_inputs(t, piece);
}

void rp_group_export_results(rp_text *t, const rp_pieces *pieces) {
  const char *comma = "";
  rp_text_put(t, "\"results\": [");
  for (uint32_t i = 0; i < pieces->n_outputs; i++) {
    const rp_group_output *out = &pieces->outputs[i];
    if (out->piece == RP_NONE) continue;
    rp_text_format(t, "%s{\"value\": %u, \"piece\": %u, \"source\": %u}", comma, out->value + 1, out->piece,
                   out->source.id);
    comma = ", ";
  }
  rp_text_put(t, "]");
}
