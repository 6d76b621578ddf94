#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 OR MIT
# usage: on_gpu.sh REPRISE TEST [ARGS...]
# Runs a test of operations or graphs on the first CUDA device; skips with the reason where there is none.
set -euo pipefail
reprise=$1
shift
devices=$("$reprise" devices)
if ! grep -q '^cuda:0 ' <<< "$devices"; then
  echo "SKIP: $(grep '^cuda ' <<< "$devices")"
  exit 77
fi
REPRISE_POISON=${REPRISE_POISON-1} REPRISE_TEST_DEVICES=cuda exec "$@"
