#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 OR MIT
# usage: snarkjs.sh REPRISE NPM_FOLDER FIXTURES
# snarkjs verifies Reprise's proofs, and Reprise those of snarkjs. Both use keys of the setup tool and print the same
# calldata. snarkjs is installed into NPM_FOLDER if it is not there. snarkjs's functions are called in one process
# (judge.cjs); its command verifies the first proof of each protocol.
# With REPRISE_TEST_QUICK: one key for each protocol, over BN254.
set -euo pipefail
. "$(dirname "$0")/judge.sh"
reprise=$1 npm=$2 fixtures=$3
version=0.7.6
scratch=$(mktemp -d)
trap 'judge_end; rm -rf "$scratch"' EXIT

cli=$npm/node_modules/snarkjs/build/cli.cjs
if [ ! -f "$cli" ]; then
  command -v npm > /dev/null || { echo "SKIP: npm is needed to install snarkjs"; exit 77; }
  mkdir -p "$npm"
  npm install --prefix "$npm" --no-audit --no-fund --silent "snarkjs@$version" ||
    { echo "SKIP: npm cannot install snarkjs"; exit 77; }
fi
judge_begin "$npm"

refused() { # command...
  if "$@" > "$scratch/log" 2>&1; then
    echo "accepted, and must not be: $*"
    cat "$scratch/log"
    exit 1
  fi
}

# Changes the first number in a JSON file by putting a digit in front of it.
change() { sed -E '0,/"[0-9]/s/"([0-9])/"1\1/' "$1" > "$2"; }

# snarkjs's command says the same as its functions.
command_accepts() { # key public proof
  node "$cli" $protocol verify "$@" > "$scratch/log" || { cat "$scratch/log"; exit 1; }
  grep -qE 'OK|VERIFIED SUCCESSFULLY' "$scratch/log"
}

protocol=groth16 started=
both_accept() { # key public proof
  [ "$started" = "$protocol" ] || command_accepts "$@"
  started=$protocol
  snarkjs $protocol verify "$1" "$2" "$3" > "$scratch/log" || { cat "$scratch/log"; exit 1; }
  grep -qE 'OK|VERIFIED SUCCESSFULLY' "$scratch/log"
  "$reprise" verify "$1" "$2" "$3" > /dev/null
}

# The same arguments for a Solidity verifier.
same_calldata() { # public proof
  snarkjs zkey export soliditycalldata "$1" "$2" > "$scratch/their_calldata"
  "$reprise" calldata "$2" "$1" > "$scratch/our_calldata"
  cmp "$scratch/our_calldata" "$scratch/their_calldata"
}

both_refuse() {
  refused snarkjs $protocol verify "$1" "$2" "$3"
  refused "$reprise" verify "$1" "$2" "$3"
}

circuit() { # folder
  local name=$1 zkey=$1/circuit.zkey key=$1/verification_key.json
  "$reprise" prove "$zkey" "$name/witness.wtns" "$scratch/proof.json" "$scratch/public.json" > /dev/null
  both_accept "$key" "$scratch/public.json" "$scratch/proof.json"
  change "$scratch/public.json" "$scratch/public_changed.json"
  if ! cmp -s "$scratch/public.json" "$scratch/public_changed.json"; then
    both_refuse "$key" "$scratch/public_changed.json" "$scratch/proof.json"
  fi
  change "$scratch/proof.json" "$scratch/proof_changed.json"
  both_refuse "$key" "$scratch/public.json" "$scratch/proof_changed.json"
  # snarkjs proves with the same key, and exports the same verification key from it.
  snarkjs groth16 prove "$zkey" "$name/witness.wtns" "$scratch/their_proof.json" "$scratch/their_public.json"
  # White space is ignored, because snarkjs puts a line break into an empty list.
  cmp <(tr -d ' \n' < "$scratch/public.json") <(tr -d ' \n' < "$scratch/their_public.json")
  both_accept "$key" "$scratch/their_public.json" "$scratch/their_proof.json"
  snarkjs zkey export verificationkey "$zkey" "$scratch/their_key.json" > /dev/null
  cmp <(tr -d ' \n' < "$key") <(tr -d ' \n' < "$scratch/their_key.json")
  both_accept "$scratch/their_key.json" "$scratch/public.json" "$scratch/proof.json"
  if grep -q bn128 "$scratch/proof.json"; then same_calldata "$scratch/public.json" "$scratch/proof.json"; fi
  echo "$(basename "$name"): accepted both ways"
}

quick=${REPRISE_TEST_QUICK:-}
for key in "$fixtures"/${quick:+multiplier_bn254}*/circuit.zkey; do circuit "${key%/circuit.zkey}"; done

# PLONK: new proofs of snarkjs, the same verdict on changed files, and the same verification key. snarkjs cannot prove
# without public signals.
plonk_circuit() { # folder
  local zkey=$1/circuit.zkey key=$1/verification_key.json
  local proof=$scratch/plonk.json public=$scratch/plonk_public.json
  if ! snarkjs plonk prove "$zkey" "$1/witness.wtns" "$proof" "$public" > "$scratch/log"; then
    grep -q "out of bounds" "$scratch/log" || { cat "$scratch/log"; exit 1; }
    cp "$1/proof.json" "$proof"
    cp "$1/public.json" "$public"
  fi
  both_accept "$key" "$public" "$proof"
  change "$public" "$scratch/public_changed.json"
  cmp -s "$public" "$scratch/public_changed.json" || both_refuse "$key" "$scratch/public_changed.json" "$proof"
  change "$proof" "$scratch/proof_changed.json"
  both_refuse "$key" "$public" "$scratch/proof_changed.json"
  sed -E 's/"eval_zw": "[0-9]*"/"eval_zw": "1"/' "$proof" > "$scratch/proof_changed.json"
  both_refuse "$key" "$public" "$scratch/proof_changed.json"
  snarkjs zkey export verificationkey "$zkey" "$scratch/their_key.json" > /dev/null
  "$reprise" vkey "$zkey" -o "$scratch/our_key.json"
  cmp "$scratch/our_key.json" "$scratch/their_key.json"
  "$reprise" prove "$zkey" "$1/witness.wtns" "$proof" "$public"
  both_accept "$key" "$public" "$proof"
  same_calldata "$public" "$proof"
  echo "plonk $(basename "$1"): proofs accepted both ways, the same verdicts"
}
protocol=plonk
for folder in "$fixtures"/../plonk/${quick:+multiplier}*/; do plonk_circuit "${folder%/}"; done
publics=(1 5)
[ -z "$quick" ] || publics=(5)
for public in "${publics[@]}"; do # synthetic keys that reprise setup makes
  "$reprise" setup --insecure --protocol plonk --log-domain 8 --public "$public" "$scratch/plonk_$public"
  plonk_circuit "$scratch/plonk_$public"
done
fflonk_circuit() { # folder
  local zkey=$1/circuit.zkey key=$1/verification_key.json
  snarkjs fflonk prove "$zkey" "$1/witness.wtns" "$scratch/fflonk.json" "$scratch/fflonk_public.json" > /dev/null
  both_accept "$key" "$scratch/fflonk_public.json" "$scratch/fflonk.json"
  change "$scratch/fflonk_public.json" "$scratch/public_changed.json"
  cmp -s "$scratch/fflonk_public.json" "$scratch/public_changed.json" ||
    both_refuse "$key" "$scratch/public_changed.json" "$scratch/fflonk.json"
  change "$scratch/fflonk.json" "$scratch/proof_changed.json"
  both_refuse "$key" "$scratch/fflonk_public.json" "$scratch/proof_changed.json"
  for member in ql s3 a z t2w; do
    sed -E "s/(\"$member\"): \"[0-9]*\"/\1: \"1\"/" "$scratch/fflonk.json" > "$scratch/proof_changed.json"
    both_refuse "$key" "$scratch/fflonk_public.json" "$scratch/proof_changed.json"
  done
  snarkjs zkey export verificationkey "$zkey" "$scratch/their_key.json" > /dev/null
  "$reprise" vkey "$zkey" -o "$scratch/our_key.json"
  cmp "$scratch/our_key.json" "$scratch/their_key.json"
  "$reprise" prove "$zkey" "$1/witness.wtns" "$scratch/fflonk.json" "$scratch/fflonk_public.json"
  both_accept "$key" "$scratch/fflonk_public.json" "$scratch/fflonk.json"
  same_calldata "$scratch/fflonk_public.json" "$scratch/fflonk.json"
  echo "fflonk $(basename "$1"): proofs accepted both ways, the same verdicts"
}
protocol=fflonk
for folder in "$fixtures"/../fflonk/${quick:+multiplier}*/; do fflonk_circuit "${folder%/}"; done
"$reprise" setup --insecure --protocol fflonk --log-domain 6 --public 5 "$scratch/fflonk_made"
fflonk_circuit "$scratch/fflonk_made"
protocol=groth16

made() { # name options...
  local name=$1
  shift
  "$reprise" setup --insecure "$@" "$scratch/$name" > /dev/null
  snarkjs wtns check "$scratch/$name/circuit.r1cs" "$scratch/$name/witness.wtns" > "$scratch/log" ||
    { cat "$scratch/log"; exit 1; }
  circuit "$scratch/$name"
}
if [ -n "$quick" ]; then
  made synthetic_bn254_no_public --preset sha256 --log-domain 8 --public 0
  exit 0
fi
made synthetic_bls12381_2_12 --curve bls12381 --log-domain 12
made synthetic_bn254_no_public --preset sha256 --log-domain 8 --public 0
made synthetic_bn254_many_public --log-domain 12 --public 2000
made synthetic_bn254_uncontributed --preset sha256 --log-domain 9 --uncontributed
