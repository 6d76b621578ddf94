// SPDX-License-Identifier: Apache-2.0 OR MIT
// usage: node judge.cjs NPM_FOLDER
// Runs snarkjs as one process: each line of standard input has the arguments of one snarkjs command, such as "groth16
// verify KEY PUBLIC PROOF". The answer is what the command prints, and a line "exit CODE". Each start of snarkjs's own
// command takes over a second, nearly all of it for compiling its WebAssembly, and a test asks 200 times. This program
// calls the same functions of the package as the command, and reads and writes files in the same way. An exception
// gives code 1, as with the command; a command that is not in the list below gives code 2.
"use strict";
const fs = require("fs");
const path = require("path");
const readline = require("readline");
const { createRequire } = require("module");

const fromSnarkjs = createRequire(path.resolve(process.argv[2], "node_modules/snarkjs/build/main.cjs"));
const snarkjs = fromSnarkjs("./main.cjs");
const bfj = fromSnarkjs("bfj");

const read = (name) => JSON.parse(fs.readFileSync(name, "utf8"));
const print = (text) => process.stdout.write(`${text}\n`);
const logger = { error: print, warn: print, info: print, debug: () => {} };
const write = (name, value) => bfj.write(name, strings(value), { space: 1 });

function strings(value) {
  if (typeof value === "bigint") return value.toString();
  if (Array.isArray(value)) return value.map(strings);
  if (value === null || typeof value !== "object") return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, strings(member)]));
}

const verify = (system) => async (key, signals, proof) =>
  (await system.verify(read(key), read(signals), read(proof), logger)) === true;

const prove = (system) => async (key, witness, proofName, signalsName) => {
  const { proof, publicSignals } = await system.prove(key, witness, logger);
  await write(proofName, proof);
  await write(signalsName, publicSignals);
  return true;
};

async function calldata(signals, proofName) {
  const proof = read(proofName);
  const arguments_ = proof.protocol === "fflonk" ? [read(signals), proof] : [proof, read(signals)];
  print(await snarkjs[proof.protocol].exportSolidityCallData(...arguments_));
  return true;
}

const commands = {
  "wtns check": async (r1cs, witness) => (await snarkjs.wtns.check(r1cs, witness, logger)) === true,
  "zkey export verificationkey": async (key, name) => {
    await write(name, await snarkjs.zKey.exportVerificationKey(key, logger));
    return true;
  },
  "zkey export soliditycalldata": calldata,
};
for (const system of ["groth16", "plonk", "fflonk"]) {
  commands[`${system} verify`] = verify(snarkjs[system]);
  commands[`${system} prove`] = prove(snarkjs[system]);
}

async function answer(words) {
  const length = [2, 3].find((n) => words.slice(0, n).join(" ") in commands);
  if (!length) return 2;
  try {
    return (await commands[words.slice(0, length).join(" ")](...words.slice(length))) ? 0 : 1;
  } catch (error) {
    print(error.stack);
    return 1;
  }
}

async function main() {
  for await (const line of readline.createInterface({ input: process.stdin })) {
    const code = await answer(line.split(" "));
    print(`exit ${code}`);
  }
  process.exit(0); // snarkjs's threads would keep the process
}

main();
