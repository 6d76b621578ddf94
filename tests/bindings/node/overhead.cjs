// SPDX-License-Identifier: Apache-2.0 OR MIT
// usage: node overhead.cjs C_CALL.node KEY WITNESS [ROUNDS [RUNS]]
// What the package adds to the calls of the library, with the same key, number of threads and witness: to C's blocking
// call, and to one that C submits and waits for. Each is measured twice: `in turns`, where a proof by C and one by the
// package follow each other, so that each finds the caches as the other library left them, and `one after another`,
// where 20 by C and 20 by the package do, as in a program that makes one proof after another. Prints, for each of RUNS
// runs, medians in microseconds over ROUNDS rounds, and at the end the distribution over the runs. Processor time is
// that of all threads of the process. C_CALL.node is c_call.c as a shared library: cc -shared -fPIC -I/usr/include/node
// c_call.c -o c_call.node $(pkg-config --cflags --libs reprise). `chrt -r 10` in front of `node` keeps other programs
// away.
"use strict";
const fs = require("fs");
const { Prover } = require("reprise-prover");

const BLOCK = 20;
const sorted = (numbers) => [...numbers].sort((a, b) => a - b);
const median = (numbers) => sorted(numbers)[numbers.length >> 1];

async function timed(prove) {
  const before = process.cpuUsage(), begin = process.hrtime.bigint();
  await prove();
  const end = process.hrtime.bigint(), used = process.cpuUsage(before);
  return { wall: Number(end - begin) / 1000, cpu: used.user + used.system };
}

// The median time of `size` proofs.
async function block(prove, size) {
  const times = [];
  for (let i = 0; i < size; i++) times.push(await timed(prove));
  return { wall: median(times.map((time) => time.wall)), cpu: median(times.map((time) => time.cpu)) };
}

async function compared(c, node, rounds, size) {
  const times = [];
  for (let i = 0; i < rounds / size; i++) times.push([await block(c, size), await block(node, size)]);
  const figure = (kind, of) => median(times.map(([a, b]) => of(a[kind], b[kind])));
  return {
    c: figure("wall", (a) => a), node: figure("wall", (_, b) => b), adds: figure("wall", (a, b) => b - a),
    cpu: figure("cpu", (a, b) => b - a),
  };
}

async function main(module, key, witness, rounds = "1000", runs = "1") {
  const peer = require(fs.realpathSync(module));
  peer.open(key);
  const prover = new Prover(key, { device: "cpu" });
  await prover.ready;
  const wtns = new Uint8Array(fs.readFileSync(witness));
  const node = () => prover.prove(wtns), all = {};
  await compared(() => peer.prove(wtns), node, 100, 1); // for the compiler of JavaScript
  for (let run = 0; run < Number(runs); run++) {
    for (const [manner, size] of [["in turns", 1], ["one after another", BLOCK]]) {
      for (const [name, call] of [["rp_groth16_prove", peer.prove], ["rp_groth16_submit and wait", peer.submit]]) {
        const { c, node: by, adds, cpu } = await compared(() => call(wtns), node, Number(rounds), size);
        console.log(`${manner}: ${name} ${c.toFixed(0)} us, Node ${by.toFixed(0)} us: adds ${adds.toFixed(0)} us, ` +
          `and ${cpu.toFixed(0)} us of processor time`);
        (all[`Node adds to ${name}, ${manner}`] ??= []).push(adds);
      }
    }
  }
  for (const [name, adds] of Object.entries(all)) {
    const at = (part) => sorted(adds)[Math.floor(part * (adds.length - 1))].toFixed(0);
    if (adds.length > 1) console.log(`${name}, ${adds.length} runs: ${at(0)} to ${at(1)} us, median ${at(0.5)}`);
  }
  await prover.close();
}
main(...process.argv.slice(2));
