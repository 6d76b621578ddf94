// SPDX-License-Identifier: Apache-2.0 OR MIT
"use strict";
const fs = require("fs");
const { format } = require("util");
const { parentPort, workerData } = require("worker_threads");
const { WitnessCalculatorBuilder } = require("circom_runtime");
const { wtnsFile } = require("./wtns_file.cjs");

// Decimal and hexadecimal texts are numbers, at any depth, as for snarkjs.
function numbers(value) {
  if (typeof value === "string" && /^-?\d+$|^0x[0-9a-fA-F]+$/.test(value)) return BigInt(value);
  if (Array.isArray(value)) return value.map(numbers);
  if (value && typeof value === "object") {
    return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, numbers(inner)]));
  }
  return value;
}

// What the circuit logs is printed by the thread that asked for the witness, before it has the witness: the output of a
// worker that ends may be lost.
for (const method of ["log", "error"]) {
  console[method] = (...words) => parentPort.postMessage({ method, text: format(...words) });
}

async function main() {
  const { input, wasm, options } = workerData;
  const code = typeof wasm === "string" ? await fs.promises.readFile(wasm) : wasm;
  const calculator = await WitnessCalculatorBuilder(code, options);
  const isOld = calculator.circom_version() === 1;
  const made = isOld ? await calculator.calculateBinWitness(numbers(input)) :
    await calculator.calculateWTNSBin(numbers(input));
  parentPort.postMessage({ wtns: isOld ? wtnsFile(calculator.prime, made) : made });
}

main();
