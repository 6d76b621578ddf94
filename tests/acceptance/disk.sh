#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 OR MIT
# usage: disk.sh REPRISE DATA
# Every output on a disk that becomes full: exit code 4, one sentence, no incomplete file, and a file that existed keeps
# its contents.
set -euo pipefail
if [ "${3-}" != inside ]; then
  # A small file system for this test needs a mount namespace for this test.
  if ! unshare -rm true 2> /dev/null; then
    echo "SKIP: name spaces for a small file system are not allowed here"
    exit 77
  fi
  exec unshare -rm bash "$0" "$1" "$2" inside
fi
. "$(dirname "$0")/lib.sh"
reprise=$1 merkle=$2/fixtures/poseidon_merkle
key=$merkle/circuit.zkey wtns=$merkle/witness.wtns
disk=$scratch/disk
mkdir "$disk"
mount -t tmpfs -o size=16k tmpfs "$disk"
trap 'umount "$disk"; rm -rf "$scratch"' EXIT

only() { # FILE...: only these files may exist
  [ "$(find "$disk" -type f -printf '%f\n' | sort | paste -sd ' ')" = "$*" ] ||
    object "on the disk are $(find "$disk" -type f -printf '%f '), not $*"
}

refused 4 "$reprise" record "$key" "$disk/key.rpk"
only ""
refused 4 "$reprise" graph "$key" --recorded --format json --output "$disk/graph.json"
only ""
refused 4 "$reprise" setup --insecure --log-domain 8 "$disk"
only ""
refused 4 "$reprise" profile "$key" "$wtns" --runs 1 --trace "$disk/trace.json"
only ""

# The disk is full except for a few bytes; a proof on it must not be lost.
expect 0 "$reprise" prove "$key" "$wtns" "$disk/proof.json" "$disk/public.json"
cp "$disk/proof.json" "$scratch/kept.json"
dd if=/dev/zero of="$disk/filler" bs=512 2> /dev/null || true
refused 4 "$reprise" prove "$key" "$wtns" "$disk/proof.json" "$disk/public.json"
same "$disk/proof.json" "$scratch/kept.json"
only "filler proof.json public.json"
cp "$wtns" "$scratch/a.wtns"
refused 4 "$reprise" replay "$key" "$scratch/a.wtns" --output-dir "$disk"
only "filler proof.json public.json"
expect 0 "$reprise" verify "$merkle/verification_key.json" "$disk/public.json" "$disk/proof.json"
finish
