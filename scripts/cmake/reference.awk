# SPDX-License-Identifier: Apache-2.0 OR MIT
# Doxygen's filter for the public headers, whose comments are plain C comments: a comment before a declaration becomes
# its documentation, one after a member that member's, and a banner begins a group. Line numbers do not change.
FNR == 1 { print "/** @file"; next }
/^\/\* -+ .* -+ \*\/$/ {
  title = $0
  gsub(/^\/\* -+ | -+ \*\/$/, "", title)
  printf "%s/** @name %s */ /** @{ */\n", grouped ? "/** @} */ " : "", title
  grouped = 1
  next
}
/^ *\/\*[^*]/ { sub(/\/\*/, "/**") }
/^ *[^ \/*].*\/\* / && !/\\$/ { sub(/\/\* /, "/**< ") }
# Doxygen would take <name> for an HTML tag.
/^ *(\/\*\*| \*) / { gsub(/</, "\\\\<") }
{ print }
END { if (grouped) print "/** @} */" }
