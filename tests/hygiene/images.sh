#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 OR MIT
# Tests cannot require Docker. So the steps of the Dockerfiles must be lines of the README, and one that makes the
# packages, which the test `packages` takes from there; and they must install what scripts/lib.sh needs.
set -euo pipefail
. "$(dirname "$0")/lib.sh"
needed() { awk '/^need_to_build/, /^}/' scripts/lib.sh | grep -oE '[^ ]+:[^ ]+' | sed 's/.*://'; }
{ needed; printf "dpkg-dev\nfile\n"; } | sort > "$tmp/needed"

# One command per line, without `apt-get` and without removing files.
steps() { sed -n 's/^RUN //p' "$1" | sed 's/ && /\n/g' | grep -vE '^(apt-get |rm -rf )'; }
for file in scripts/Dockerfile scripts/Dockerfile.cuda; do
  steps "$file" | while read -r step; do
    case $step in
      cpack\ *) grep -qxF "RUN $step" scripts/Dockerfile || echo "$file: \"$step\" is not the step of the other" ;;
      *-DREPRISE_CUDA=ON*)
        known=${step/ -DREPRISE_CUDA=ON -DREPRISE_CUDA_ARCHITECTURES=all/}
        grep -qF "$known" README.md || echo "$file: \"$known\" is not in the README"
        ;;
      *) grep -qF "$step" README.md || echo "$file: \"$step\" is not in the README" ;;
    esac
  done
  grep -oE 'libreprise[0-9]+_' "$file" | grep -vx "libreprise$(sed -n 's/^#define RP_VERSION_MAJOR //p' \
    engine/include/reprise/reprise.h)_" | sed "s|^|$file: another library than this version's: |" || true
  [ "$(steps "$file" | wc -l)" -ge 2 ] || echo "$file: no steps"
  cmp -s scripts/Dockerfile.dockerignore "$file.dockerignore" || echo "$file.dockerignore is not that of the other"
done >> "$tmp/bad"
# An image may be used on any machine.
grep -qx 'ENV REPRISE_CPU=ALL' scripts/Dockerfile || echo "scripts/Dockerfile: kernels for one kind of processor" \
  >> "$tmp/bad"
# The demo itself installs what is needed for building.
grep -q 'recommends dpkg-dev file$' scripts/Dockerfile || echo "scripts/Dockerfile: cpack needs dpkg-dev and file" \
  >> "$tmp/bad"
grep -oE 'install -y --no-install-recommends [a-z].*' scripts/Dockerfile.cuda | sed 's/.*recommends //' | tr ' ' '\n' |
  sort | diff "$tmp/needed" - | sed 's/^/scripts\/Dockerfile.cuda, what it installs: /' >> "$tmp/bad" || true
finish
