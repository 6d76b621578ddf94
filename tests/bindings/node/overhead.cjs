// SPDX-License-Identifier: Apache-2.0 OR MIT
// usage: node overhead.cjs C_CALL.node KEY WITNESS [ROUNDS]
// What the package adds to the calls of the library: a proof by C's blocking call, one that C submits and waits for,
// and one by the package, in turns, with the same key, number of threads and witness. Prints medians in microseconds:
// of each, and of the differences within a round, which a busy machine disturbs least. Processor time is that of all
// threads of the process. C_CALL.node is c_call.c as a shared library: cc -shared -fPIC -I/usr/include/node c_call.c
// -o c_call.node $(pkg-config --cflags --libs reprise). `chrt -r 10` in front of `node` keeps other programs away.
"use strict";
const fs = require("fs");
const { Prover } = require("reprise-prover");

const median = (numbers) => [...numbers].sort((a, b) => a - b)[numbers.length >> 1];

async function timed(prove) {
  const before = process.cpuUsage(), begin = process.hrtime.bigint();
  await prove();
  const end = process.hrtime.bigint(), used = process.cpuUsage(before);
  return { wall: Number(end - begin) / 1000, cpu: used.user + used.system };
}

async function main(module, key, witness, rounds = "2000") {
  const peer = require(fs.realpathSync(module));
  peer.open(key);
  const prover = new Prover(key, { device: "cpu" });
  await prover.ready;
  const wtns = new Uint8Array(fs.readFileSync(witness));
  const calls = [() => peer.prove(wtns), () => peer.submit(wtns), () => prover.prove(wtns)];
  const times = [];
  for (let i = -50; i < Number(rounds); i++) { // the first 50 rounds are for the compiler of JavaScript
    const round = [];
    for (let k = 0; k < 3; k++) round[(i + 51 + k) % 3] = await timed(calls[(i + 51 + k) % 3]);
    if (i >= 0) times.push(round);
  }
  for (const [kind, name] of [["wall", "time"], ["cpu", "processor time"]]) {
    const figure = (of) => median(times.map((round) => of(...round.map((time) => time[kind])))).toFixed(0);
    console.log(`${name}, medians of ${rounds} rounds: C ${figure((c) => c)} us, submitted by C ` +
      `${figure((_, s) => s)} us, Node ${figure((_, s, n) => n)} us; Node adds ${figure((c, _, n) => n - c)} us to ` +
      `rp_groth16_prove, and ${figure((_, s, n) => n - s)} us to rp_groth16_submit and rp_groth16_wait`);
  }
  await prover.close();
}
main(...process.argv.slice(2));
