# SPDX-License-Identifier: Apache-2.0 OR MIT
# Shared by the scripts: installing what is missing (Debian 12), build folders, timing.
# shellcheck shell=bash
cd "$(dirname "${BASH_SOURCE[0]}")/.." || exit
jobs=$(nproc)
export CMAKE_BUILD_PARALLEL_LEVEL=$jobs
export CTEST_OUTPUT_ON_FAILURE=1
if command -v ccache > /dev/null; then
  export CMAKE_C_COMPILER_LAUNCHER=ccache CMAKE_CXX_COMPILER_LAUNCHER=ccache
fi

say() { printf '\n== %s\n' "$*"; }
die() {
  echo "$*" >&2
  exit 1
}

as_root() {
  if [ "$(id -u)" = 0 ]; then
    "$@"
  elif command -v sudo > /dev/null; then
    sudo "$@"
  else
    die "root or sudo is needed to install packages: $*"
  fi
}

# need WHAT:PACKAGE ... installs the packages whose WHAT is not there: a command's name, or "-" to ask dpkg.
need() {
  local missing=() item what package
  for item in "$@"; do
    what=${item%%:*} package=${item#*:}
    if [ "$what" = - ]; then
      dpkg -s "$package" 2> /dev/null | grep -q '^Status: install ok installed' || missing+=("$package")
    else
      command -v "$what" > /dev/null || missing+=("$package")
    fi
  done
  [ ${#missing[@]} = 0 ] && return
  command -v apt-get > /dev/null || die "please install: ${missing[*]} (this script knows only apt-get)"
  say "installing ${missing[*]}"
  as_root env DEBIAN_FRONTEND=noninteractive apt-get update -qq < /dev/null
  as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${missing[@]}" \
    < /dev/null > /dev/null || die "apt-get could not install ${missing[*]}"
}

need_to_build() {
  need git:git gcc:gcc g++:g++ -:libc6-dev cmake:cmake ninja:ninja-build pkg-config:pkg-config \
    -:libjansson-dev -:libxxhash-dev
}

# A build folder that another compiler or generator configured before is configured anew.
configure() {
  local preset=$1
  shift
  cmake --preset "$preset" "$@" > /dev/null || cmake --preset "$preset" --fresh "$@"
}
