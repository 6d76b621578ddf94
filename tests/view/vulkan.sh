#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 OR MIT
# A run of a recorded file on the first Vulkan device, such as lavapipe, opened in a headless Chromium.
# usage: vulkan.sh COMMAND MODULES DATA OUT
set -euo pipefail
command=$1 modules=$2 key=$3/fixtures/multiplier_bn254 out=$4
skip() { echo "SKIP: $*"; exit 77; }
"$command" devices | grep '^vulkan:0 ' > /dev/null || skip "there is no Vulkan device"
command -v node > /dev/null || skip "node is not installed"
[ -x "${CHROMIUM:-/usr/bin/chromium}" ] || skip "chromium is not installed"
[ -d "$modules/playwright-core" ] || skip "playwright-core is not in $modules; scripts/test installs it"
mkdir -p "$out"
# A recorded file is the same whichever device wrote it; kernels of lavapipe are compiled sooner without optimisation.
"$command" record "$key/circuit.zkey" "$out/circuit.rpk" --device cpu
export GALLIVM_PERF=nopt
code=0
"$command" view "$out/circuit.rpk" "$key/witness.wtns" -n 1 --device vulkan -o "$out/vulkan.html" || code=$?
[ $code != 6 ] || skip "this build has no page, or no kernels for Vulkan"
[ $code = 0 ]
node "$(dirname "$0")/vulkan.mjs" "$(dirname "$modules")" "$out"
