#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 OR MIT
# usage: configure.sh CC
# What CMake prints: which machines get kernels for GPUs by default, that an option which cannot be fulfilled is an
# error, that all missing libraries are named at once with their packages, and that CONTRIBUTING.md lists every option.
set -euo pipefail
cc=$1
. "$(dirname "$0")/lib.sh"
unset VK_DRIVER_FILES VK_ADD_DRIVER_FILES VK_ICD_FILENAMES
cd "$(dirname "$0")/../.."

# machine ANSWER PATH...: a machine that has these files; FILE=TEXT gives one a text.
machine() {
  local want=$1 root=$scratch/machine path got
  shift
  rm -rf "$root"
  for path in "$@"; do
    mkdir -p "$root$(dirname "${path%%=*}")"
    case $path in *=*) echo "${path#*=}" ;; *) echo "{}" ;; esac > "$root${path%%=*}"
  done
  got=$(cmake -DREPRISE_MACHINE_ROOT="$root" -P scripts/cmake/RepriseMachine.cmake)
  checks=$((checks + 1))
  [ "$got" = "$want" ] || object "a machine with $* is taken for one with \"$got\" instead of \"$want\""
}
icd=/usr/share/vulkan/icd.d
node=/dev/dri/renderD128
vendor=/sys/class/drm/renderD128/device/vendor
machine ""
machine "CUDA" /dev/nvidiactl
machine "CUDA" /usr/lib/x86_64-linux-gnu/libcuda.so.1
machine "CUDA Vulkan" /dev/nvidia0 $icd/nvidia_icd.json
machine "CUDA" /dev/nvidia0 $icd/lvp_icd.x86_64.json $icd/intel_icd.x86_64.json
machine "Vulkan" $node $vendor=0x8086 $icd/intel_icd.x86_64.json
machine "Vulkan" $node $vendor=0x1002 $icd/lvp_icd.x86_64.json $icd/radeon_icd.x86_64.json
machine "Vulkan" $node $icd/panfrost_icd.aarch64.json
machine "" $node $vendor=0x1002
machine "" $node $vendor=0x1002 $icd/intel_icd.x86_64.json $icd/lvp_icd.x86_64.json
machine "" $icd/intel_icd.x86_64.json $icd/radeon_icd.x86_64.json $icd/lvp_icd.x86_64.json # Mesa's drivers, and no GPU

# processor ANSWER FLAGS...: a processor with these flags gets kernels for this instruction set.
processor() {
  local want=$1 got
  shift
  mkdir -p "$scratch/processor/proc"
  printf 'processor\t: 0\nflags\t\t: %s\nflags\t\t: \n' "$*" > "$scratch/processor/proc/cpuinfo"
  got=$(cmake -DREPRISE_MACHINE_ROOT="$scratch/processor" -DASK=cpu -P scripts/cmake/RepriseMachine.cmake)
  checks=$((checks + 1))
  [ "$got" = "$want" ] || object "a processor with $* gets kernels for \"$got\" instead of \"$want\""
}
avx512="avx512f avx512dq avx512bw avx512vl"
processor "" fpu sse2 avx avx2 bmi2
processor ADX fpu avx avx2 bmi2 adx
processor ADX avx avx2 bmi2 adx $avx512
processor ADX avx avx2 bmi2 adx avx512ifma
processor IFMA avx avx2 bmi2 adx $avx512 avx512ifma
processor "" $avx512 avx512ifma bmi2 adx

# configures CODE OPTION...: CMake must end with that code; its output is in $scratch/said. The page of
# `reprise view`, for which npm would be asked each time, is left out.
configures() {
  local want=$1 code=0
  shift
  rm -rf "$scratch/build"
  cmake -S . -B "$scratch/build" -G Ninja -DCMAKE_C_COMPILER="$cc" -DREPRISE_BUILD_TESTS=OFF -DREPRISE_PAGE=OFF \
    "$@" > "$scratch/said" 2>&1 || code=$?
  checks=$((checks + 1))
  [ "$code" = "$want" ] || { object "configuring with $*: exit code $code instead of $want"; tail -20 "$scratch/said"; }
}
# says WORDS...: joins lines before it looks for the words, because CMake wraps its sentences.
says() {
  local words
  checks=$((checks + 1))
  for words in "$@"; do
    tr -s ' \n' ' ' < "$scratch/said" | grep -F -- "$words" > /dev/null || object "CMake does not say: $words"
  done
}
configures 0 -DREPRISE_MACHINE_ROOT="$scratch/nothing"
says "CUDA kernels: left out, no NVIDIA GPU or driver here; -DREPRISE_CUDA=ON" \
  "Vulkan kernels: left out, no GPU with a Vulkan driver here; -DREPRISE_VULKAN=ON"
configures 1 -DREPRISE_CUDA=ON -DREPRISE_NVCC=
says "REPRISE_CUDA is ON, but no nvcc was found. Install NVIDIA's CUDA toolkit 12 or newer"
configures 1 -DREPRISE_VULKAN=ON -DREPRISE_SPIRV_OPT= -DREPRISE_CUDA=OFF
says "REPRISE_VULKAN is ON, but these were not found: spirv-opt" "spirv-tools"
configures 0 -DREPRISE_CPU=NATIVE -DREPRISE_MACHINE_ROOT="$scratch/nothing"
grep -q 'CPU kernels' "$scratch/said" && object "CMake knows the processor of a machine that says nothing"
if [ "$(uname -m)" = x86_64 ]; then
  processor IFMA avx avx2 bmi2 adx $avx512 avx512ifma
  configures 0 -DREPRISE_CPU=NATIVE -DREPRISE_MACHINE_ROOT="$scratch/processor"
  says "CPU kernels: for processors with IFMA only, as this one; -DREPRISE_CPU=ALL compiles them for every processor"
  checks=$((checks + 1))
  grep -qE '(pointwise_cpu_tmpl_bn254_fr(_adx)?|pairing_tmpl_bn254_g2(_adx)?|host_curve_tmpl_bn254_g1)\.dir' \
    "$scratch/build/build.ninja" && object "kernels or host arithmetic for other processors are compiled"
  grep -qE 'pointwise_cpu_tmpl_bn254_fr_ifma\.dir' "$scratch/build/build.ninja" || object "no kernels for IFMA"
  configures 0 -DREPRISE_CPU=PLAIN
  checks=$((checks + 1))
  grep -qE '_tmpl_[a-z0-9_]*_(adx|avx2|ifma)\.dir' "$scratch/build/build.ninja" && object "PLAIN has other variants"
fi
configures 1 -DREPRISE_CPU=some
says 'REPRISE_CPU is "some": it can be ALL, NATIVE or PLAIN'
configures 1 -DREPRISE_VULKAN=perhaps
says 'REPRISE_VULKAN is "perhaps": it can be AUTO, ON or OFF'
configures 0 -DREPRISE_CUDA=0 -DREPRISE_VULKAN=no
grep -q 'left out' "$scratch/said" && object "CMake tells what was turned off by hand"

# A machine that can run the kernels but has no compilers for them: one line, and no error.
machine "CUDA Vulkan" /dev/nvidia0 $icd/nvidia_icd.json
configures 0 -DREPRISE_MACHINE_ROOT="$scratch/machine" -DREPRISE_NVCC= -DREPRISE_SPIRV_VAL=
says "CUDA kernels: left out though this machine can run them, no nvcc was found" \
  "Vulkan kernels: left out though this machine can run them, these were not found: spirv-val"

# Where npm finds no network, the page is left out, and the scripts say why.
printf '#!/bin/sh\necho "npm ERR! no such host" >&2\nexit 1\n' > "$scratch/npm"
chmod +x "$scratch/npm"
configures 0 -DREPRISE_PAGE=ON -DREPRISE_NODE=/bin/true -DREPRISE_NPM="$scratch/npm"
(. scripts/lib.sh && told "$scratch/said") > "$scratch/told"
checks=$((checks + 1))
grep -q '^The page of `reprise view` is left out: npm could not install esbuild (npm ERR! no such host)' \
  "$scratch/told" || object "scripts do not say why there is no page: $(cat "$scratch/told")"

PKG_CONFIG_LIBDIR=$scratch/nothing configures 1 -DREPRISE_XXHASH_INCLUDE= -DREPRISE_BUILD_TESTS=ON
says "Not found: xxHash, jansson, cmocka, OpenSSL's libcrypto, GMP." \
  "apt-get install libxxhash-dev libjansson-dev libcmocka-dev libssl-dev libgmp-dev"

# Everything that is installed is built by default and by the demo, so that installing works after it.
configures 0 -DREPRISE_BUILD_EXAMPLES=OFF -DREPRISE_CUDA=OFF -DREPRISE_VULKAN=OFF
find "$scratch/build" -name cmake_install.cmake -exec cat {} + | grep -oE "\"$scratch/build/[^\"]*\"" | tr -d '"' |
  grep -vE 'MANIFEST|manifest|cmake_install|CMakeFiles' | sort -u > "$scratch/installed"
ninja -C "$scratch/build" -t commands all > "$scratch/built"
[ "$(wc -l < "$scratch/installed")" -ge 5 ] || object "what is installed is not found"
while read -r file; do
  [ -e "$file" ] || grep -qE "[ /]${file#"$scratch/build/"}( |\$)" "$scratch/built" ||
    object "installed, but not built: $file"
done < "$scratch/installed"
grep -q -- '--target' scripts/demo && object "scripts/demo builds less than what is installed"

# Every option is explained.
cached='set\(REPRISE_[A-Z0-9_]+ [^ ]+ CACHE (STRING|BOOL|PATH)'
grep -rhoE "option\(REPRISE_[A-Z0-9_]+|$cached|^reprise_device_option\([A-Z]+" \
  --include=CMakeLists.txt --include=*.cmake . |
  sed -E 's/reprise_device_option\(/REPRISE_/; s/^(option|set)\(//; s/ .*//' | sort -u > "$scratch/options"
[ "$(wc -l < "$scratch/options")" -ge 10 ] || object "the options of the CMake files are not found"
while read -r option; do
  grep -qE "^\| \`$option\` \|" CONTRIBUTING.md || object "CONTRIBUTING.md does not explain $option"
done < "$scratch/options"
finish
