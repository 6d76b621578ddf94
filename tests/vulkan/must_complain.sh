#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 OR MIT
# usage: must_complain.sh ON_VULKAN REPRISE TEST
# The other way round: TEST passes, and does what the layer must object to; on_vulkan.sh fails because of it.
set -euo pipefail
status=0
text=$(bash "$@" 2>&1) || status=$?
echo "$text"
[ "$status" != 77 ] || exit 77
[ "$status" = 1 ] && grep -q 'SYNC-HAZARD' <<< "$text" && grep -q 'VUID-' <<< "$text" && grep -q 'PASSED' <<< "$text"
