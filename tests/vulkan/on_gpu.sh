#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 OR MIT
# usage: on_gpu.sh REPRISE FOLDER COMMAND [ARGS...]
# Runs a test on the first Vulkan device, and keeps its compiled pipelines in FOLDER: a GPU's compiler takes seconds for
# some kernels, which each program would wait for otherwise. Skips, with the reason, if there is no device or if it is
# not a GPU.
set -euo pipefail
devices=$("$1" devices)
device=$(grep '^vulkan:0 ' <<< "$devices" || true)
if [ -z "$device" ]; then
  echo "SKIP: $(grep '^vulkan ' <<< "$devices")"
  exit 77
fi
if grep -q 'llvmpipe\|SwiftShader' <<< "$device"; then
  echo "SKIP: no GPU: $device"
  exit 77
fi
export REPRISE_TEST_DEVICES=vulkan REPRISE_CACHE_DIR=$2
exec "${@:3}"
