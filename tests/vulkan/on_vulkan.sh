#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 OR MIT
# usage: on_vulkan.sh [--without-layer | --gpu-assisted | --least FOLDER] REPRISE TEST [ARGS...]
# Runs a test on the first Vulkan device under the Khronos validation layer, with checks of synchronisation, or
# (--gpu-assisted) with checks of every access through an address, which the layer adds to the shaders. Any message of
# the layer is a failure. Skips, with the reason, if there is no device or no layer. With --least, the layer of least.c
# in FOLDER lowers the driver's limits to the least that Vulkan 1.2 allows.
set -euo pipefail
layers=VK_LAYER_KHRONOS_validation
enables=VK_VALIDATION_FEATURE_ENABLE_SYNCHRONIZATION_VALIDATION_EXT
least=
case $1 in
--without-layer)
  layers=
  shift
  ;;
--gpu-assisted)
  enables=VK_VALIDATION_FEATURE_ENABLE_GPU_ASSISTED_EXT
  shift
  ;;
--least)
  least=$2
  shift 2
  ;;
esac
reprise=$1
shift
devices=$("$reprise" devices)
device=$(grep '^vulkan:0 ' <<< "$devices" || true)
if [ -z "$device" ]; then
  echo "SKIP: $(grep '^vulkan ' <<< "$devices")"
  exit 77
fi
layer=VkLayer_khronos_validation.json
found=
for dir in {/usr/share,/usr/local/share,/etc,"$HOME"/.local/share}/vulkan/explicit_layer.d "${VK_LAYER_PATH:-/}"; do
  [ ! -f "$dir/$layer" ] || found=$dir
done
if [ -n "$layers" ] && [ -z "$found" ]; then
  echo "SKIP: no validation layer: $layer is nowhere (Debian: vulkan-validationlayers)"
  exit 77
fi
if [ -n "$least" ]; then
  layers=$layers:VK_LAYER_REPRISE_least
  export VK_LAYER_PATH=$found:$least
  devices=$(VK_INSTANCE_LAYERS=$layers "$reprise" devices 2>&1)
  grep -q '^vulkan:0  least ' <<< "$devices" || { echo "FAILED: the device is not cut down: $devices"; exit 1; }
fi
# A software device computes on the processor, so sizes are small there. Its compiler does not optimise, because that
# would take more time than it saves.
if grep -q 'llvmpipe' <<< "$device"; then
  export REPRISE_TEST_MAX_LOG=${REPRISE_TEST_MAX_LOG:-6} GALLIVM_PERF=${GALLIVM_PERF:-nopt}
fi
log=$(mktemp)
trap 'rm -f "$log"' EXIT
status=0
REPRISE_POISON=${REPRISE_POISON-1} REPRISE_TEST_DEVICES=vulkan REPRISE_CACHE_DIR='' VK_INSTANCE_LAYERS=$layers \
  VK_LAYER_ENABLES=$enables "$@" > "$log" 2>&1 || status=$?
cat "$log"
if grep -qE 'VUID-|SYNC-|UNASSIGNED-|Validation (Error|Warning|Performance)' "$log"; then
  echo "FAILED: messages of the validation layer"
  exit 1
fi
exit "$status"
