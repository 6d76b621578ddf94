// SPDX-License-Identifier: Apache-2.0 OR MIT
"use strict";
const path = require("path");
const { Worker } = require("worker_threads");

// The options of circom_runtime that can be sent to a worker: functions cannot.
function optionsOf(options) {
  const entries = Object.entries(options || {}).filter(([, value]) => typeof value !== "function");
  return Object.fromEntries(entries);
}

// The bytes of the .wtns file that circom's program computes from the inputs, in a worker that ends with it.
function calculateWitness(input, wasm, witnessOptions, { signal } = {}) {
  if (signal) signal.throwIfAborted();
  if (typeof wasm !== "string" && !(wasm instanceof Uint8Array)) {
    if (!wasm || wasm.type !== "mem" || !(wasm.data instanceof Uint8Array)) {
      throw new TypeError('the program is a path, a Uint8Array or {type: "mem", data: Uint8Array}');
    }
    wasm = wasm.data;
  }
  return new Promise((resolve, reject) => {
    // In any worker, the package web-worker, which circom_runtime uses, runs the script that `mod` names: an empty one.
    const workerData = { input, wasm, options: optionsOf(witnessOptions), mod: "data:," };
    const worker = new Worker(path.join(__dirname, "witness_worker.cjs"), { workerData });
    const abort = () => {
      worker.terminate();
      reject(signal.reason);
    };
    if (signal) signal.addEventListener("abort", abort, { once: true });
    const end = (settle) => (value) => {
      if (signal) signal.removeEventListener("abort", abort);
      worker.terminate();
      settle(value);
    };
    const settle = end(resolve);
    worker.on("message", ({ wtns, method, text }) => (wtns ? settle(wtns) : console[method](text)));
    worker.once("error", end(reject));
    worker.once("exit", end(() => reject(new Error("the worker that computes the witness ended without a result"))));
  });
}

module.exports = { calculateWitness };
