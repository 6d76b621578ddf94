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

# need WHAT:PACKAGE ... installs the packages whose WHAT is missing. WHAT is the name of a command, or "-" to ask dpkg
# for the package.
need() {
  local missing=() item what package
  for item in "$@"; do
    what=${item%%:*} package=${item#*:}
    if [ "$what" = - ]; then
      dpkg -s "$package" 2> /dev/null | grep '^Status: install ok installed' > /dev/null || missing+=("$package")
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
  need git:git gcc:gcc -:libc6-dev cmake:cmake ninja:ninja-build pkg-config:pkg-config \
    -:libjansson-dev -:libxxhash-dev -:libpq-dev -:libmicrohttpd-dev
}

# Installs the compilers of Vulkan kernels if this machine has a GPU for them. Debian has no package of nvcc: if that is
# missing, `configure` says so.
need_for_gpus() {
  case $(cmake -P scripts/cmake/RepriseMachine.cmake) in
    *Vulkan*) need glslc:glslc spirv-opt:spirv-tools -:libvulkan-dev ;;
  esac
}

# all_kernels: prints the options for CMake that compile the kernels for every device for which there is a compiler,
# whether or not this machine has the device. Without an NVIDIA GPU nothing runs the CUDA kernels, and they are compiled
# to PTX that is not optimised; scripts/gpu compiles them to machine code where it tests them.
all_kernels() {
  local nvcc
  nvcc=$(command -v nvcc || echo "${CUDA_PATH:-/usr/local/cuda}/bin/nvcc")
  if "$nvcc" --version 2> /dev/null | grep -E 'release (1[2-9]|[2-9][0-9])\.' > /dev/null; then
    echo -DREPRISE_CUDA=ON
    case $(cmake -P scripts/cmake/RepriseMachine.cmake) in
      *CUDA*) echo -DREPRISE_CUDA_ARCHITECTURES=native ;;
      *) echo -DREPRISE_CUDA_ARCHITECTURES=check ;;
    esac
  else
    echo -DREPRISE_CUDA=OFF
  fi
  echo -DREPRISE_VULKAN=ON
}

# told LOG: of what CMake said, which kernels are compiled, which are not and why, and why the page is left out.
told() { sed -nE 's/^-- ((CUDA|Vulkan)[ :]|The page of )/\1/p' "$1"; }

# Configures a build folder, and prints what will be missing. A folder that was configured with another compiler or
# generator is configured from the beginning.
configure() {
  local preset=$1
  shift
  mkdir -p build
  cmake --preset "$preset" "$@" > build/configure.log || cmake --preset "$preset" --fresh "$@" > build/configure.log ||
    { cat build/configure.log; return 1; }
  told build/configure.log
}
