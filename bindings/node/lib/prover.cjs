// SPDX-License-Identifier: Apache-2.0 OR MIT
"use strict";
const native = require("./native.cjs");
const { errorOf, promised } = require("./errors.cjs");
const { calculateWitness } = require("./witness.cjs");

// A path, a Uint8Array or {type: "mem", data}, as snarkjs takes them.
function sourceOf(source, what) {
  if (typeof source === "string" || source instanceof Uint8Array) return source;
  if (source && source.type === "mem" && source.data instanceof Uint8Array) return source.data;
  if (source && source.type === "file" && typeof source.fileName === "string") return source.fileName;
  throw new TypeError(`${what} is a path, a Uint8Array or {type: "mem", data: Uint8Array}`);
}

// "cuda:1" is the second CUDA device.
function deviceOf(device = "auto") {
  const match = /^(auto|cpu|cuda|vulkan)(?::(\d+))?$/.exec(device);
  if (!match) throw new TypeError(`device ${device}: auto, cpu, cuda, vulkan, or one of these with an index: cuda:1`);
  return { kind: match[1], index: Number(match[2] || 0) };
}

function countOf(count, what) {
  if (!Number.isInteger(count) || count < 1 || count > 64) throw new TypeError(`${what} is a number from 1 to 64`);
  return count;
}

// A key recorded on a device, once. Proofs are made in the order in which they are asked for, inFlight at a time.
class Prover {
  #opened;
  #native = null; // when it is open
  #closed = null;
  #inFlight;
  #running = 0;
  #waiting = [];
  #idle = [];

  constructor(zkey, { device, inFlight = 1, tables = false, protocol = "groth16" } = {}) {
    const source = sourceOf(zkey, "the key");
    this.#inFlight = countOf(inFlight, "inFlight");
    const options = { ...deviceOf(device), inFlight, tables: tables ? 1 : 0 };
    this.#opened = promised((done) => native.open(protocol, source, options, done)).then((prover) => {
      this.#native = prover;
      this.#next();
    });
    this.#opened.catch(() => {}); // reported by ready and by prove
  }

  // Fulfilled when the key is recorded. prove waits for it by itself.
  get ready() {
    return this.#opened.then(() => this);
  }

  prove(witness, { signal } = {}) {
    return new Promise((resolve, reject) => { // what is thrown here rejects
      const source = sourceOf(witness, "the witness");
      if (signal) signal.throwIfAborted();
      if (this.#closed) throw new Error("the prover is closed");
      const job = { source, signal, resolve, reject, stop: null };
      if (signal) {
        job.abort = () => {
          if (job.stop) job.stop();
          this.#drop(job);
          this.#settle();
          reject(signal.reason);
        };
        signal.addEventListener("abort", job.abort, { once: true });
      }
      this.#waiting.push(job);
      if (this.#native) return this.#next();
      this.#opened.catch((error) => {
        this.#drop(job);
        this.#finish(job);
        reject(error);
      });
    });
  }

  async fullProve(input, wasm, { signal } = {}) {
    return this.prove(await calculateWitness(input, wasm, {}, { signal }), { signal });
  }

  // Waits for the proofs that were asked for, then frees the prover. Without a call, it is freed when it is collected.
  close() {
    this.#closed ??= this.#opened.then(async () => {
      if (this.#running || this.#waiting.length) await new Promise((resolve) => this.#idle.push(resolve));
      await promised((done) => native.close(this.#native, done));
    }, () => {});
    return this.#closed;
  }

  #next() {
    while (this.#waiting.length && this.#running < this.#inFlight) {
      const job = this.#waiting.shift();
      this.#running++;
      try {
        const task = native.prove(this.#native, job.source, (error, result) => {
          this.#running--;
          this.#finish(job);
          if (error) job.reject(errorOf(error));
          else job.resolve(JSON.parse(result));
          this.#next();
        });
        job.stop = () => native.cancel(this.#native, task);
      } catch (thrown) {
        this.#running--;
        this.#finish(job);
        job.reject(errorOf(thrown));
      }
    }
    this.#settle();
  }

  #drop(job) {
    this.#waiting = this.#waiting.filter((other) => other !== job);
  }

  #finish(job) {
    job.stop = null;
    if (job.signal) job.signal.removeEventListener("abort", job.abort);
  }

  #settle() {
    if (!this.#running && !this.#waiting.length) this.#idle.splice(0).forEach((resolve) => resolve());
  }
}
if (Symbol.asyncDispose) {
  Object.defineProperty(Prover.prototype, Symbol.asyncDispose, { value() { return this.close(); } });
}

module.exports = { Prover, sourceOf };
