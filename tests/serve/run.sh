#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 OR MIT
# usage: run.sh PROGRAM.py REPRISE DATA LOAD    Runs a test of reprise serve, if there is Python 3.9 or newer.
set -euo pipefail
if ! python3 -c 'import sys; sys.exit(sys.version_info < (3, 9))' 2> /dev/null; then
  echo "SKIP: no Python 3.9 or newer is installed"
  exit 77
fi
exec python3 -B "$@"
