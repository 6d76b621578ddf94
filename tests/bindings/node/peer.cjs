// SPDX-License-Identifier: Apache-2.0 OR MIT
// A script for snarkjs as its README has it. The test runs it as it is, and with reprise-prover in the next line.
const snarkjs = require("snarkjs");
const fs = require("fs");

async function main(system, folder) {
  const inputs = JSON.parse(fs.readFileSync(`${folder}/input.json`));
  const { proof, publicSignals } = await snarkjs[system].fullProve(inputs, `${folder}/circuit.wasm`,
    `${folder}/circuit.zkey`);
  const vkey = JSON.parse(fs.readFileSync(`${folder}/verification_key.json`));
  console.log(system, Object.keys(proof).sort().join(), publicSignals.join());
  console.log("verified:", await snarkjs[system].verify(vkey, publicSignals, proof));
  const wrong = publicSignals.map((signal) => String(BigInt(signal) + 1n));
  console.log("with other signals:", await snarkjs[system].verify(vkey, wrong, proof));

  const wtns = { type: "mem" };
  await snarkjs.wtns.calculate(inputs, `${folder}/circuit.wasm`, wtns);
  const zkey = { type: "mem", data: new Uint8Array(fs.readFileSync(`${folder}/circuit.zkey`)) };
  const again = await snarkjs[system].prove(zkey, wtns);
  console.log("from memory:", await snarkjs[system].verify(vkey, again.publicSignals, again.proof));

  const known = JSON.parse(fs.readFileSync(`${folder}/proof.json`));
  const signals = JSON.parse(fs.readFileSync(`${folder}/public.json`));
  const both = system === "fflonk" ? [signals, known] : [known, signals]; // as snarkjs has it
  console.log(await snarkjs[system].exportSolidityCallData(...both));
  const exported = await snarkjs.zKey.exportVerificationKey(`${folder}/circuit.zkey`);
  console.log(JSON.stringify(exported) === JSON.stringify(vkey));
}

main(...process.argv.slice(2)).then(() => {
  if (process.env.EXIT) process.exit(0); // snarkjs keeps its workers
});
