// SPDX-License-Identifier: Apache-2.0 OR MIT
// The package for Node as it is installed. environment: DATA, the folder of the test data. The folder `many` here has a
// key with many public signals, and a witness.
import assert from "node:assert/strict";
import fs from "node:fs";
import { createRequire } from "node:module";
import net from "node:net";
import { test } from "node:test";
import { types } from "node:util";
import { Worker } from "node:worker_threads";
import reprise, { groth16, plonk, fflonk, wtns, zKey, Prover, RepriseError } from "reprise-prover";

const systems = {
  groth16: [groth16, `${process.env.DATA}/fixtures/multiplier_bn254`],
  plonk: [plonk, `${process.env.DATA}/plonk/multiplier`],
  fflonk: [fflonk, `${process.env.DATA}/fflonk/multiplier`],
};
const read = (folder, name) => JSON.parse(fs.readFileSync(`${folder}/${name}.json`, "utf8"));
const zkeyOf = (folder) => `${folder}/circuit.zkey`;
const wtnsOf = (folder) => `${folder}/witness.wtns`;
const bytesOf = (path) => new Uint8Array(fs.readFileSync(path));
const large = `${process.env.DATA}/fixtures/poseidon_merkle`;

for (const [name, [system, folder]] of Object.entries(systems)) {
  test(`${name}: proofs of snarkjs`, async () => {
    const [vkey, signals, proof] = ["verification_key", "public", "proof"].map((file) => read(folder, file));
    assert.equal(await system.verify(vkey, signals, proof), true);
    assert.equal(await system.verify(vkey, signals.map(BigInt), proof), true);
    const said = [];
    const logger = { error: (message) => said.push(message) };
    assert.equal(await system.verify(vkey, signals.map((s) => BigInt(s) + 1n), proof, logger), false);
    assert.equal(said.length, 1);
    assert.equal(await system.verify(vkey, [...signals, 1], proof), false);
    assert.equal(await system.verify(vkey, signals.slice(1), proof), false);
    const told = { info: (message) => said.push(message), error: assert.fail };
    assert.equal(await system.verify(vkey, signals, proof, told, null), true);
    assert.equal(said.pop(), "OK!");
    await assert.rejects(system.verify({}, signals, proof), { code: "RP_ERR_FORMAT", name: "RepriseError" });
    await assert.rejects(system.verify(vkey, "1", proof), TypeError);
    const calldata = name === "fflonk" ? await system.exportSolidityCallData(signals, proof) :
      await system.exportSolidityCallData(proof, signals);
    assert.equal(calldata, fs.readFileSync(`${folder}/calldata.txt`, "utf8").trim());
    await assert.rejects(async () => system.exportSolidityCallData({}, {}), TypeError);
    assert.deepEqual(await zKey.exportVerificationKey(zkeyOf(folder)), vkey);
    assert.deepEqual(await zKey.exportVerificationKey(bytesOf(zkeyOf(folder))), vkey);
  });

  test(`${name}: every form of key and witness`, async () => {
    const vkey = read(folder, "verification_key");
    const forms = (path) => [path, bytesOf(path), fs.readFileSync(path), { type: "mem", data: bytesOf(path) }];
    for (const zkey of forms(zkeyOf(folder))) {
      const prover = new Prover(zkey, { protocol: name, device: "cpu", inFlight: 2 });
      const results = await Promise.all(forms(wtnsOf(folder)).map((witness) => prover.prove(witness)));
      for (const { proof, publicSignals } of results) {
        assert.deepEqual(publicSignals, read(folder, "public"));
        assert.equal(await system.verify(vkey, publicSignals, proof), true);
      }
      await prover.close();
      await prover.close();
      await assert.rejects(prover.prove(wtnsOf(folder)), /closed/);
    }
  });

  test(`${name}: errors have code and reason`, async () => {
    await assert.rejects(system.prove("/nowhere.zkey", wtnsOf(folder)), (error) => {
      assert(error instanceof RepriseError && error instanceof Error);
      assert.deepEqual([error.code, error.status], ["RP_ERR_FILE", 12]);
      assert.match(error.reason, /nowhere/);
      assert.match(error.message, /^RP_ERR_FILE: /);
      return true;
    });
    const changed = bytesOf(wtnsOf(folder));
    changed[changed.length - 32] ^= 1;
    await assert.rejects(system.prove(zkeyOf(folder), changed), { code: "RP_ERR_VERIFY" });
    await assert.rejects(system.prove(zkeyOf(folder), new Uint8Array(3)), { code: "RP_ERR_FORMAT" });
    await assert.rejects(system.prove(zkeyOf(folder), 5), TypeError);
    await assert.rejects(system.prove(zkeyOf(folder), {}), TypeError);
    await assert.rejects(system.prove(new Uint8Array(0), wtnsOf(folder)), { code: "RP_ERR_FORMAT" });
  });

  test(`${name}: from a circuit's inputs`, async () => {
    const of = name === "fflonk" ? systems.plonk[1] : folder; // FFLONK's key is of the same circuit as PLONK's
    const wasm = `${of}/circuit.wasm`, input = read(of, "input"), vkey = read(folder, "verification_key");
    for (const program of [wasm, bytesOf(wasm), { type: "mem", data: bytesOf(wasm) }]) {
      const { proof, publicSignals } = await system.fullProve(input, program, zkeyOf(folder), null, null, null);
      assert.deepEqual(publicSignals, read(folder, "public"));
      assert.equal(await system.verify(vkey, publicSignals, proof), true);
    }
    const prover = new Prover(zkeyOf(folder), { protocol: name });
    assert.deepEqual((await prover.fullProve(input, wasm)).publicSignals, read(folder, "public"));
    await prover.close();
    await assert.rejects(system.fullProve({ a: 3 }, wasm, zkeyOf(folder)), Error);
    await assert.rejects(system.fullProve(input, "/nowhere.wasm", zkeyOf(folder)), { code: "ENOENT" });
    await assert.rejects(system.fullProve(input, wasm, zkeyOf(folder), null, null, { signal: AbortSignal.abort() }),
      { name: "AbortError" });
  });

  test(`${name}: proofs block no thread`, async () => {
    const prover = new Prover(zkeyOf(folder), { protocol: name, inFlight: 8 });
    await prover.ready;
    let reads = 0;
    for (let round = 0; round < 50 && reads === 0; round++) { // a proof may end before a file has been read
      let proofs = 0;
      const all = [0, 1, 2, 3, 4, 5, 6, 7].map(() => prover.prove(wtnsOf(folder)).then(() => proofs++));
      // libuv has four threads, and eight proofs leave them to others
      for (let i = 0; i < 4; i++) fs.stat(folder, () => (reads += proofs === 0));
      await Promise.all(all);
      assert.equal(proofs, 8);
    }
    assert(reads > 0, "files are read while proofs are made");
    await prover.close();
  });

  test(`${name}: an AbortSignal stops a proof that waits, and only that`, async () => {
    const prover = new Prover(zkeyOf(folder), { protocol: name });
    const stop = new AbortController();
    const proofs = [0, 1, 2, 3].map((i) => prover.prove(wtnsOf(folder), i % 2 ? { signal: stop.signal } : {}));
    stop.abort(new Error("enough"));
    const results = await Promise.allSettled(proofs);
    assert.deepEqual(results.map((result) => result.status), ["fulfilled", "rejected", "fulfilled", "rejected"]);
    assert.equal(results[1].reason.message, "enough");
    await prover.close();
    const [vkey, signals, proof] = ["verification_key", "public", "proof"].map((file) => read(folder, file));
    const gone = { signal: AbortSignal.abort() }, no = { name: "AbortError" };
    await assert.rejects(system.prove(zkeyOf(folder), wtnsOf(folder), null, gone), no);
    await assert.rejects(system.verify(vkey, signals, proof, null, gone), no);
    await assert.rejects(zKey.exportVerificationKey(zkeyOf(folder), null, gone), no);
    const soon = new AbortController();
    const opening = system.prove(zkeyOf(large), wtnsOf(large), null, { signal: soon.signal });
    soon.abort(); // while the key is opened
    const later = new Promise((resolve) => setImmediate(() => setImmediate(() => resolve("later"))));
    const at = await Promise.race([opening.then(() => "proved", (error) => error.name), later]);
    assert.equal(at, "AbortError", "at once, and not when the key is open");
  });
}

test("arguments of a prover", async () => {
  for (const options of [{ device: "gpu" }, { inFlight: 0 }, { inFlight: 1.5 }, { protocol: "stark" }]) {
    const make = async () => new Prover(zkeyOf(systems.groth16[1]), options).ready;
    await assert.rejects(make, TypeError, JSON.stringify(options));
  }
  assert.throws(() => new Prover(null), TypeError);
});

test("the module checks for itself what its JavaScript passes on", async () => {
  const native = createRequire(import.meta.url)("./node_modules/reprise-prover/lib/native.cjs");
  const [, folder] = systems.groth16;
  const options = { kind: "cpu", index: 0, inFlight: 1, tables: 0 };
  const done = (resolve, reject) => (error, value) => error ? reject(error) : resolve(value);
  const nobody = () => assert.fail("it was refused");
  assert.throws(() => native.open("groth16", new Float64Array(4), options, nobody), TypeError);
  assert.throws(() => native.open("groth16", zkeyOf(folder), { ...options, kind: "gpu" }, nobody), TypeError);
  const prover = await new Promise((resolve, reject) =>
    native.open("groth16", zkeyOf(folder), options, done(resolve, reject)));
  assert.throws(() => native.prove(prover, new Float64Array(4), nobody), TypeError);
  const server = net.createServer();
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  const foreign = server._handle._externalStream;
  assert(types.isExternal(foreign));
  for (const other of [null, 5, {}]) assert.throws(() => native.close(other, nobody), TypeError);
  assert.throws(() => native.close(foreign, nobody), { name: "TypeError", message: /no prover/ });
  server.close();
  await new Promise((resolve, reject) => {
    native.prove(prover, wtnsOf(folder), done(resolve, reject));
    assert.throws(() => native.close(prover, nobody), TypeError, "a proof is pending");
  });
  await new Promise((resolve, reject) => native.close(prover, done(resolve, reject)));
  assert.throws(() => native.prove(prover, wtnsOf(folder), nobody), TypeError, "it is closed");
});

test("memory of a shorter witness is not taken for a longer one", async () => {
  const witness = bytesOf(wtnsOf(large)), prover = new Prover(zkeyOf(large), { device: "cpu", inFlight: 4 });
  const shorter = witness.subarray(0, Math.floor(witness.length * 0.6));
  await Promise.allSettled([1, 2, 3, 4].map(() => prover.prove(shorter)));
  for (const { publicSignals } of await Promise.all([1, 2, 3, 4].map(() => prover.prove(witness)))) {
    assert.deepEqual(publicSignals, read(large, "public"));
  }
  await prover.close();
});

test("witnesses may change while their proofs are made", async () => {
  const [, folder] = systems.groth16;
  const prover = new Prover(zkeyOf(folder));
  const witness = bytesOf(wtnsOf(folder));
  const promise = prover.ready.then(() => prover.prove(witness));
  await prover.ready;
  await new Promise((resolve) => setImmediate(resolve));
  structuredClone(witness.buffer, { transfer: [witness.buffer] }); // its memory is another's now
  assert.deepEqual((await promise).publicSignals, ["33"]);
  await prover.close();
});

const TURNS = 20; // on a machine that has stood still, a proof may be finished before this thread goes on

// Aborts a millisecond after proofs have begun; what has become of them.
async function aborted(expected, begin) {
  for (let turn = 1; ; turn++) {
    const stop = new AbortController();
    const proofs = begin(stop.signal);
    setTimeout(() => stop.abort(), 1);
    const results = await Promise.allSettled(proofs);
    const states = results.map((result) => result.status);
    if (turn === TURNS || states.join() === expected.join()) {
      assert.deepEqual(states, expected);
      return results;
    }
  }
}

test("many public signals", async () => {
  const values = fs.readFileSync("many/witness.wtns").subarray(76 + 32); // behind the headers and the constant 1
  const expected = Array.from({ length: 300 }, (_, i) =>
    BigInt(`0x${Buffer.from(values.subarray(32 * i, 32 * i + 32)).reverse().toString("hex")}`).toString());
  const prover = new Prover("many/circuit.zkey", { device: "cpu", inFlight: 2 });
  const proofs = await Promise.all([1, 2, 3, 4].map(() => prover.prove("many/witness.wtns")));
  for (const { proof, publicSignals } of proofs) {
    assert.deepEqual(publicSignals, expected);
    assert.equal(await groth16.verify(read("many", "verification_key"), publicSignals, proof), true);
  }
  await prover.close();
});

test("an AbortSignal stops a proof, and only that", async () => {
  const prover = new Prover(zkeyOf(large));
  await prover.ready;
  const results = await aborted(["rejected", "rejected", "fulfilled"], (signal) =>
    [0, 1, 2].map((i) => prover.prove(wtnsOf(large), i < 2 ? { signal } : {})));
  assert.equal(results[0].reason.name, "AbortError");
  await assert.rejects(prover.prove(wtnsOf(large), { signal: AbortSignal.abort() }), { name: "AbortError" });
  await prover.close();
});

test("the event loop is free while proofs are made", async () => {
  const prover = new Prover(zkeyOf(large));
  await prover.ready;
  let ticks = 0;
  const timer = setInterval(() => ticks++, 1);
  for (let turn = 0; turn < TURNS && ticks <= 3; turn++) {
    ticks = 0;
    await prover.prove(wtnsOf(large));
  }
  clearInterval(timer);
  assert(ticks > 3, `${ticks} ticks`);
  await prover.close();
});

test("a worker that ends in the middle of a proof", async () => {
  const code = `const { Prover } = require("reprise-prover");
    const prover = new Prover(${JSON.stringify(zkeyOf(large))}, { inFlight: 4 });
    prover.ready.then(() => {
      for (let i = 0; i < 4; i++) prover.prove(${JSON.stringify(wtnsOf(large))});
      require("worker_threads").parentPort.postMessage("begun");
    });`;
  for (let i = 0; i < 3; i++) {
    const worker = new Worker(code, { eval: true });
    await new Promise((resolve, reject) => worker.once("message", resolve).once("error", reject));
    await worker.terminate();
  }
});

test("of two proofs in flight an AbortSignal stops its own", async () => {
  const prover = new Prover(zkeyOf(large), { inFlight: 2 });
  await prover.ready;
  await aborted(["rejected", "fulfilled"], (signal) =>
    [prover.prove(wtnsOf(large), { signal }), prover.prove(wtnsOf(large))]);
  await prover.close();
});

test("what a circuit logs is printed, and circom_runtime's options arrive", async () => {
  fs.cpSync("node_modules/reprise-prover/lib", "copied/lib", { recursive: true });
  fs.mkdirSync("copied/node_modules/circom_runtime", { recursive: true });
  fs.writeFileSync("copied/node_modules/circom_runtime/index.js",
    `exports.WitnessCalculatorBuilder = async (code, options) => ({
    circom_version: () => (options.old ? 1 : 2),
    prime: 101n,
    async calculateBinWitness(input) { return new Uint8Array(8).fill(Number(input.a)); },
    async calculateWTNSBin(input) {
      console.log("a is", input.a);
      console.error("options", Object.keys(options).join());
      return new Uint8Array([Number(input.a)]);
    },
  });`);
  const { calculateWitness } = createRequire(import.meta.url)("./copied/lib/witness.cjs");
  const printed = [], before = { log: console.log, error: console.error };
  for (const method of ["log", "error"]) console[method] = (text) => printed.push([method, text]);
  const options = { sanityCheck: true, memorySize: 4, logGetSignal: () => {} };
  const made = await calculateWitness({ a: "7" }, new Uint8Array(1), options)
    .finally(() => Object.assign(console, before));
  assert.deepEqual(made, new Uint8Array([7]));
  assert.deepEqual(printed, [["log", "a is 7n"], ["error", "options sanityCheck,memorySize"]]);
  const old = await calculateWitness({ a: 5 }, new Uint8Array(1), { old: true });
  assert.deepEqual([old.length, ...old.subarray(-8)], [52 + 8, 5, 5, 5, 5, 5, 5, 5, 5]);
});

test("the file of a witness of circom 1", async () => {
  const { wtnsFile } = createRequire(import.meta.url)("./node_modules/reprise-prover/lib/wtns_file.cjs");
  const file = bytesOf(wtnsOf(systems.groth16[1])), head = 4 + 4 + 4 + 12 + 4 + 32 + 4 + 12;
  const prime = 21888242871839275222246405745257275088548364400416034343698204186575808495617n;
  assert.deepEqual(wtnsFile(prime, file.subarray(head)), file);
  assert.throws(() => wtnsFile(prime, file.subarray(head + 1)), /no whole number/);
});

test("what stays with snarkjs says so", async () => {
  const { powersOfTau, r1cs, curves } = reprise;
  for (const call of [powersOfTau.verify, plonk.setup, zKey.newZKey, wtns.check, r1cs.info, curves.getCurveFromR]) {
    await assert.rejects(call("x"), /of snarkjs/);
  }
});

test("witnesses go to memory or to a file", async () => {
  const [, folder] = systems.groth16, mem = { type: "mem" };
  await wtns.calculate(read(folder, "input"), `${folder}/circuit.wasm`, mem);
  assert.deepEqual(mem.data, bytesOf(wtnsOf(folder)));
  await wtns.calculate(read(folder, "input"), `${folder}/circuit.wasm`, "made.wtns");
  assert.deepEqual(bytesOf("made.wtns"), mem.data);
  assert.equal(fs.statSync("made.wtns").mode & 0o077, 0); // others cannot read it
  await assert.rejects(wtns.calculate({}, `${folder}/circuit.wasm`, 5), TypeError);
});

test("provers that nobody closes are collected", async () => {
  const [, folder] = systems.groth16;
  const before = process.memoryUsage().rss;
  for (let i = 0; i < 40; i++) {
    await new Prover(zkeyOf(folder)).prove(wtnsOf(folder));
    if (i % 10 === 9) {
      global.gc();
      await new Promise((resolve) => setImmediate(resolve));
    }
  }
  assert(process.memoryUsage().rss - before < 40 << 20);
  assert.equal(typeof reprise.version, "string");
});
