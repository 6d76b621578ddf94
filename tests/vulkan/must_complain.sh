#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 OR MIT
# usage: must_complain.sh "MESSAGE..." ON_VULKAN [OPTION] REPRISE TEST
# Reverses the result of on_vulkan.sh: TEST passes, but does something that the layer must report with each MESSAGE, so
# that on_vulkan.sh fails.
set -euo pipefail
messages=$1
shift
status=0
text=$(bash "$@" 2>&1) || status=$?
echo "$text"
[ "$status" != 77 ] || exit 77
[ "$status" = 1 ] && grep -q 'PASSED' <<< "$text"
for message in $messages; do grep -q "$message" <<< "$text"; done
