# SPDX-License-Identifier: Apache-2.0 OR MIT
# Doxygen's filter for the public headers, whose comments are plain: a comment before a declaration becomes one of
# Doxygen's, one behind a member becomes that member's, a banner begins a group. Lines keep their numbers.
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
# Doxygen takes <name> for a tag of HTML.
/^ *(\/\*\*| \*) / { gsub(/</, "\\\\<") }
{ print }
END { if (grouped) print "/** @} */" }
