#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 OR MIT
# usage: libc.sh BUILD BINARY...    Results of the C library are checked. Every function of it that the binaries call is
# in libc.txt, and clang compiles the sources with those that can fail declared so that it objects to an unused result.
set -euo pipefail
. "$(dirname "$0")/lib.sh"
list=tests/hygiene/libc.txt build=$1
shift

# No function is called that is not in the list. The names are normalised, because C libraries have several for a
# function.
sed -n 's/^[a-z]*: //p' $list | tr ' ' '\n' | sort > "$tmp/known"
uniq -d "$tmp/known" | sed "s|^|$list: twice: |" >> "$tmp/bad"
nm -D -u "$@" | awk '$NF ~ /@GLIBC/ { sub(/@.*/, "", $NF); print $NF }' |
  sed -E 's/^__isoc[0-9]+_//; s/^__([a-z0-9_]+)_chk$/\1/; s/64$//' | sort -u > "$tmp/called"
[ -s "$tmp/called" ] || echo "nm names no function of the C library" >> "$tmp/bad"
comm -13 <(sort -u "$tmp/known") "$tmp/called" | sed "s|\$|: is called, and not in $list|" >> "$tmp/bad"

# Without libpq the sources of the farm are not compiled, and without libmicrohttpd those of the service.
read -ra libpq <<< "$(pkg-config --cflags libpq 2> /dev/null || true)"
not='^ops/derive/'
pkg-config --exists libpq 2> /dev/null || not+='|^cli/farm/'
pkg-config --exists libmicrohttpd 2> /dev/null || not+='|^cli/serve/'
own_files '^(engine|ops|graphs|shim|cli)/.*\.[ch]$' | grep -vE "$not" > "$tmp/sources"

# Where a result is discarded, a comment beside it says why, and likewise where a path may be cut to the size of its
# buffer (in ops/ such texts are names of constants).
checked=$(sed -n 's/^checked: //p' $list | tr '\n' ' ')
awk -v names="$checked" '
  BEGIN { n = split(names, a, " "); for (i = 1; i <= n; i++) is[a[i]] = 1 }
  FNR == 1 {
    before = ""
    path = FILENAME ~ /^ops\// ? "^$" : "snprintf[(].*\"(/[^\" ]*%s|[^\" ]*%s[^\" ]*/)"
  }
  { if (match($0, /\(void\) ?[a-z_0-9]+\(/)) {
      name = substr($0, RSTART + 6, RLENGTH - 7); gsub(/ /, "", name)
      if ((name in is || $0 ~ path) && $0 !~ /\/\*/ && before !~ /\*\/$/)
        print FILENAME ":" FNR ": (void)" name " without a reason"
    }
    if ($0 ~ path && $0 ~ /^ *(for \(.*\) )?snprintf\(/)
      print FILENAME ":" FNR ": a path that may be cut"
    before = $0 }' $(cat "$tmp/sources") >> "$tmp/bad"

if ! command -v clang > /dev/null; then
  [ ! -s "$tmp/bad" ] || finish
  skip "clang is not installed"
fi
{
  for h in arpa/inet dirent dlfcn fcntl glob poll pthread sched signal spawn stdio stdlib string sys/eventfd sys/mman \
    sys/random sys/socket sys/stat sys/wait time unistd; do
    echo "#include <$h.h>"
  done
  for f in $checked; do echo "__attribute__((warn_unused_result)) __typeof__($f) $f;"; done
} > "$tmp/checked.h"
flags=(-std=gnu17 -D_GNU_SOURCE -fsyntax-only -Wno-everything -Werror=unused-result -include "$tmp/checked.h")
flags+=(-Iengine -Iengine/include -Iengine/support -Iops -Iops/include -Igraphs -Igraphs/include)
flags+=(-Ishim -Ishim/include -Icli)
flags+=(-I"$build/gen" -Icli/farm -Icli/serve "${libpq[@]}")
flags+=('-DRP_CHECKED_TYPE=__attribute__((warn_unused_result))' -DRP_DERIVE_ID='""')
echo 'void f(int fd); void f(int fd) { close(fd); }' > "$tmp/probe.c"
if clang "${flags[@]}" "$tmp/probe.c" 2> /dev/null; then echo "clang says nothing of close()" >> "$tmp/bad"; fi

# Sources that call one of them are compiled; templates, and the backends whose drivers' headers not every machine has,
# are searched as text.
calls="(^|[^a-zA-Z0-9_.>])($(echo $checked | tr ' ' '|')) ?\\("
xargs -a "$tmp/sources" grep -lE "$calls" | grep -E '\.c$' |
  grep -vE '_tmpl\.c$|^engine/backends/(cuda|vulkan)/' > "$tmp/callers"
xargs -a "$tmp/sources" grep -nE "^ +($(echo $checked | tr ' ' '|'))\\(" |
  grep -E '_tmpl\.c:|^engine/backends/(cuda|vulkan)/' | sed 's|$|  <- not looked at|' >> "$tmp/bad" || true
echo "$(wc -l < "$tmp/called") functions, $(wc -l < "$tmp/callers") sources"
[ "$(wc -l < "$tmp/callers")" -ge 30 ] || echo "so few sources call the C library?" >> "$tmp/bad"
compile() { clang "${@:2}" "$1" 2>&1 | grep -E ': (error|warning|fatal error):' || true; }
while read -r f; do compile "$f" "${flags[@]}"; done < "$tmp/callers" | sort -u >> "$tmp/bad"
finish
