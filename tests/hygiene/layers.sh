#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 OR MIT
# Each layer includes only from layers below it: cli, shim, examples -> graphs -> ops -> engine; engine/support, which
# graphs, cli and shim use, includes the engine's public headers alone. The include paths of the targets enforce most of
# this; this test reads the sources, so that it also finds a private header that is included by a relative path.
set -euo pipefail
. "$(dirname "$0")/lib.sh"

public_engine='reprise/(attributes|call|group|host_program|inspect|kernel|op|plans|reprise|schema|status|view)\.h'
public_ops='reprise/(expr|host|ops|subgraph|transcript|types)\.h'
public_graphs='(fflonk|files|gnark|graphs|halo2|inverse|merkle|msm|page|pedersen|plonk|pool|save|setup|simple)'
public_graphs="reprise/$public_graphs\.h"

# Prints "file:line:header" of every include below a folder.
includes() {
  own_files "^$1/.*\.(c|h|cu|cuh|comp|glsl)$" | xargs -r grep -nE '^[[:space:]]*#[[:space:]]*include' /dev/null |
    sed -E 's/^([^:]+):([0-9]+):[^"<]*["<]([^">]+)[">].*/\1:\2:\3/'
}

# forbid FOLDER REGEX WHY: no include below FOLDER may match.
forbid() {
  includes "$1" | grep -E ":[0-9]+:($2)" | sed "s|\$| -- $3|" >> "$tmp/bad" || true
}

forbid engine "$public_ops|$public_graphs" "the engine knows no ops and no graphs"
forbid engine '.*\.\./(ops|graphs|cli)/' "reaches up a layer"
private_graphs='(formats|groth16|plonk|fflonk|view|saved|pool|pedersen|halo2|identify|inverse|merkle|msm|setup)/'
private_ops='(arith|vector|ntt|sparse|points|hash|kernel|lower|derive|ref)/'
forbid ops "$public_graphs" "ops know no graphs"
forbid ops '(.*/)?backend\.h|.*\.\./(engine|graphs|cli)/' "ops use the engine's public headers only"
forbid engine/support "$public_ops|$public_graphs|(.*/)?backend\.h|.*\.\./|$private_ops|$private_graphs" \
  "host utilities know the engine's public headers only"
forbid graphs "(.*/)?backend\.h|.*\.\./(engine|ops|cli)/|$private_ops" "graphs use public headers only"
forbid graphs/formats '(groth16|plonk|fflonk)/' "what file formats share knows no proof system"
forbid graphs/groth16/formats 'groth16/(verify|prover|setup)/' "file formats know neither verifier nor prover nor setup"
forbid graphs/groth16/verify 'groth16/(prover|setup)/' "the verifier knows neither prover nor setup"
forbid graphs/groth16/prover 'groth16/setup/' "the prover knows no setup"
forbid graphs/groth16/setup 'groth16/prover/' "the setup knows no prover"
forbid graphs/groth16 '(plonk|fflonk)/' "proof systems do not know each other"
forbid graphs/plonk '(groth16|fflonk)/' "proof systems do not know each other"
forbid graphs/plonk/formats 'plonk/(verify|common|prover|setup)/' "file formats know no other part"
forbid graphs/plonk/verify 'plonk/(common|prover|setup)/' "the verifier knows neither prover nor setup"
forbid graphs/plonk/common 'plonk/(verify|prover|setup)/' "what provers share knows no proof system"
forbid graphs/plonk/prover 'plonk/setup/' "the prover knows no setup"
forbid graphs/plonk/setup 'plonk/(verify|common|prover)/' "the setup knows neither verifier nor prover"
forbid graphs/fflonk 'groth16/' "proof systems do not know each other"
forbid graphs/fflonk 'plonk/prover/' "FFLONK knows no prover of PLONK"
forbid graphs/fflonk/prover '(plonk|fflonk)/setup/' "the prover knows no setup"
forbid graphs/fflonk/setup '(plonk/common|(plonk|fflonk)/(verify|prover))/' "the setup knows no other part"
forbid graphs/fflonk/formats '((plonk|fflonk)/(verify|prover|setup)|plonk/common)/' "file formats know no other part"
forbid graphs/fflonk/verify 'fflonk/(prover|setup)/|plonk/(common|setup)/' "the verifier knows no prover"
forbid graphs/saved '(groth16|plonk|fflonk)/' "saved graphs know no proof system"
forbid shim "(.*/)?backend\.h|.*\.\./|$private_ops|$private_graphs" \
  "the shim uses public headers and host utilities only"
forbid cli "(.*/)?backend\.h|.*\.\./|$private_ops|$private_graphs" \
  "the command uses public headers and host utilities only"
forbid examples '(.*/)?backend\.h|.*\.\./' "examples use public headers only"
forbid examples "[^r].*\.h\"" "examples use installed headers only"
forbid shaders "$public_engine|$public_ops|$public_graphs" "device code includes no public headers"
finish
