// SPDX-License-Identifier: Apache-2.0 OR MIT
// What snarkjs has and this package does not: ceremonies, setups, contracts, inspection and arithmetic. A script that
// calls one of these is told so, instead of "undefined is not a function".
"use strict";

const names = {
  groth16: [],
  plonk: ["setup"],
  fflonk: ["setup", "exportSolidityVerifier"],
  zKey: ["newZKey", "exportBellman", "importBellman", "verifyFromR1cs", "verifyFromInit", "contribute", "beacon",
    "exportJson", "bellmanContribute", "exportSolidityVerifier"],
  wtns: ["debug", "exportJson", "check"],
  powersOfTau: ["newAccumulator", "exportChallenge", "importResponse", "verify", "challengeContribute", "beacon",
    "contribute", "preparePhase2", "truncate", "convert", "exportJson"],
  r1cs: ["print", "info", "exportJson"],
  curves: ["getCurveFromName", "getCurveFromQ", "getCurveFromR"],
};

// Adds to the namespace a function for each name of snarkjs's that it does not have; it rejects.
function withElsewhere(namespace, functions) {
  for (const name of names[namespace]) {
    functions[name] ??= async () => {
      throw new Error(`reprise-prover proves and verifies only: call ${namespace}.${name} of snarkjs, and give the ` +
        "files that it writes to reprise-prover");
    };
  }
  return functions;
}

module.exports = { withElsewhere };
