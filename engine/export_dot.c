/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * What the drawings of graphs and of recordings have in common.
 */
#include "export.h"

/* newrank: phases are ranked together, below each other. By themselves they would all begin at the top, and dot cannot
 * rank two of which each needs something of the other. */
void rp_export_dot_head(rp_text *t, const char *name, const char *what, uint32_t count) {
  rp_text_put(t, "digraph ");
  rp_text_quote(t, name);
  rp_text_put(t, " {\n  rankdir=TB; newrank=true; nodesep=0.1; ranksep=0.3;\n  labelloc=t; fontname=\"Helvetica\"; "
                 "fontsize=14;\n  label=\"");
  rp_text_escape(t, name);
  rp_text_format(t, ": %u %s\";\n", count, what);
  rp_text_put(t, "  node [shape=box, style=rounded, fontname=\"Helvetica\", fontsize=10];\n"
                 "  edge [fontname=\"Helvetica\", fontsize=8];\n");
}

const char *rp_export_describe(const rp_node *node, char *text, size_t bytes) {
  text[0] = 0;
  if (RP_HAS(node->op, describe) && node->op->describe && node->op->describe(node->params, text, bytes) < 0)
    text[0] = 0;
  return text;
}

const char *rp_export_dot_words(rp_text *t, const char *name) {
  char words[RP_TEXT_DOT_NAME];
  const char *end = strchr(name, '.');
  const size_t whole = end ? (size_t)(end - name) : strlen(name), n = whole < sizeof words ? whole : sizeof words - 1;
  memcpy(words, name, n);
  words[n] = 0;
  for (char *at = words; (at = strchr(at, '_'));) *at = ' ';
  rp_text_escape(t, words);
  return end ? end + 1 : "";
}

void rp_export_dot_legend(rp_text *t, bool recorded) {
  static const char *const of_graph[][2] = {{"#1f6feb", "input"},
                                            {"#57606a", "computed\\n= what it yields\\n+ what it reads without a line"},
                                            {"#1a7f37", "output"}};
  static const char *const of_recording[][2] = {{"#1f6feb", "copies an input"},
                                                {"#8c6d1f", "writes a constant"},
                                                {"#57606a", "writes the arena"},
                                                {"#1a7f37", "writes an output"}};
  rp_text_put(t, "  subgraph cluster_legend {\n    label=\"legend\"; color=\"#d0d7de\"; style=rounded; fontsize=10;\n");
  for (int i = 0; i < (recorded ? 4 : 3); i++) {
    const char *const *entry = recorded ? of_recording[i] : of_graph[i];
    rp_text_format(t, "    legend%d [color=\"%s\", label=\"%s\"];\n", i, entry[0], entry[1]);
  }
  if (recorded)
    rp_text_put(t, "    legend4 [style=\"rounded,dashed\", label=\"runs once, when recorded\"];\n"
                   "    legend0 -> legend1 [label=\"data\"];\n"
                   "    legend2 -> legend3 [label=\"memory order\", style=dashed, color=\"#8c959f\"];\n");
  else
    rp_text_put(t, "    legend1 -> legend2 [label=\"of constants only\", color=\"#8c6d1f\"];\n");
  rp_text_put(t, "  }\n");
}
