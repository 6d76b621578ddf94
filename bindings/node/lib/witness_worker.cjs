// SPDX-License-Identifier: Apache-2.0 OR MIT
"use strict";
const fs = require("fs");
const { parentPort, workerData } = require("worker_threads");
const { WitnessCalculatorBuilder } = require("circom_runtime");

// Decimal and hexadecimal texts are numbers, at any depth, as for snarkjs.
function numbers(value) {
  if (typeof value === "string" && /^-?\d+$|^0x[0-9a-fA-F]+$/.test(value)) return BigInt(value);
  if (Array.isArray(value)) return value.map(numbers);
  if (value && typeof value === "object") {
    return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, numbers(inner)]));
  }
  return value;
}

async function main() {
  const { input, wasm } = workerData;
  const code = typeof wasm === "string" ? await fs.promises.readFile(wasm) : wasm;
  const calculator = await WitnessCalculatorBuilder(code, {});
  if (calculator.circom_version() === 1) throw new Error("programs of circom 1 are not supported");
  const wtns = await calculator.calculateWTNSBin(numbers(input));
  parentPort.postMessage(wtns);
}

main();
