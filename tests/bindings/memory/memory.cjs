// SPDX-License-Identifier: Apache-2.0 OR MIT
// usage: node --expose-gc memory.cjs PROTOCOL KEY WITNESS PROOFS
// Prints the resident bytes after each tenth of the proofs.
"use strict";
const fs = require("fs");
const { Prover } = require("reprise-prover");

async function main(protocol, key, witness, proofs) {
  const wtns = new Uint8Array(fs.readFileSync(witness));
  const prover = new Prover(key, { protocol, device: "cpu", inFlight: 2 });
  for (let tenth = 0; tenth < 10; tenth++) {
    for (let i = 0; i < proofs / 10; i += 2) await Promise.all([prover.prove(wtns), prover.prove(wtns)]);
    global.gc();
    console.log(process.memoryUsage.rss());
  }
} // nobody closes the prover, and the process ends
const [protocol, key, witness, proofs] = process.argv.slice(2);
main(protocol, key, witness, Number(proofs));
