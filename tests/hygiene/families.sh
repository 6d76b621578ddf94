#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 OR MIT
# usage: families.sh [ROOT]    Operations are grouped by family, under one basename everywhere: ops/ntt/ntt.c,
# shaders/cuda/ntt/ntt.cu, shaders/vulkan/ntt/ntt.comp, ops/vector/pointwise_item.h. ROOT is the tree to check instead
# of this one.
set -euo pipefail
. "$(dirname "$0")/lib.sh"
[ $# = 0 ] || cd "$1"

# There are no files beside the folders.
own_files '^(ops/[^/]+|shaders/(cuda|vulkan)/[^/]+)$' | grep -vxF ops/CMakeLists.txt |
  sed 's|$|: lies in no family|' >> "$tmp/bad" || true

# For the source of a kernel there are files of the same name in the same family of ops/, and CUDA's has a counterpart
# for Vulkan, which may be split: rescue_merkle.comp belongs to rescue.
own_files '^shaders/(cuda|vulkan)/.*\.(cu|comp)$' > "$tmp/kernels"
[ -s "$tmp/kernels" ] || echo "no kernels found" >> "$tmp/bad"
while IFS=/ read -r _ device family file; do
  name=${file%.*}
  found=0
  for stem in "$name" "${name%_merkle}"; do
    for at in "ops/$family/$stem".[ch] "ops/$family/${stem}"_*; do [ ! -e "$at" ] || found=1; done
    [ "$device" = vulkan ] || break
  done
  [ $found = 1 ] || echo "shaders/$device/$family/$file: ops/$family/ has no $name" >> "$tmp/bad"
  [ "$device" = vulkan ] || [ -e "shaders/vulkan/$family/$name.comp" ] ||
    echo "shaders/cuda/$family/$file: shaders/vulkan/$family/ has no $name.comp" >> "$tmp/bad"
done < "$tmp/kernels"

# Kernels that are written once for both are in the folder of their operation, and have no other source. The definition
# has the file's name, or its line says FILE:KERNEL.
own_files '^ops/.*_item\.h$' | while read -r f; do
  stem=${f%_item.h}
  [ -e "$stem.c" ] || [ -e "${stem}_gpu.c" ] || grep -qs "^ \* kernel ${stem##*/}:" "${f%/*}"/*.c ||
    echo "$f: no operation of that name beside it"
  for at in "shaders/cuda/${stem#ops/}.cu" "shaders/vulkan/${stem#ops/}.comp"; do
    [ ! -e "$at" ] || echo "$f: $at is a second source of the same kernels"
  done
done >> "$tmp/bad" || true

# An argument struct is in the folder of its operation.
own_files '^ops/.*_args\.h$' | while read -r f; do
  stem=${f%_args.h}
  stem=${stem%_gpu}
  base=${stem##*/}
  family=$(basename "$(dirname "$f")")
  for at in "$stem.c" "$stem"_*.c "shaders/cuda/$family/$base.cu"; do [ ! -e "$at" ] || continue 2; done
  echo "$f: neither operation nor kernel of that name beside it"
done >> "$tmp/bad" || true
finish
