// SPDX-License-Identifier: Apache-2.0 OR MIT
// The calls of snarkjs, by the same names and with the same arguments and results, and Prover.
"use strict";
const native = require("./native.cjs");
const { RepriseError, errorOf, promised } = require("./errors.cjs");
const { Prover, sourceOf } = require("./prover.cjs");
const { calculateWitness } = require("./witness.cjs");

// What is no valid proof, in contrast to what cannot be judged.
const refused = new Set(["RP_ERR_VERIFY", "RP_ERR_INPUT"]);

function json(value) {
  return JSON.stringify(value, (_, inner) => (typeof inner === "bigint" ? inner.toString() : inner));
}

function signalsOf(signals) {
  if (!Array.isArray(signals)) throw new TypeError("the public signals are an array");
  return json(signals.map(String));
}

function protocolNamed(protocol) {
  async function prove(zkey, witness, _logger, options = {}) {
    const prover = new Prover(zkey, { ...options, inFlight: 1, protocol });
    try {
      return await prover.prove(witness, options);
    } finally {
      await prover.close();
    }
  }

  async function fullProve(input, wasm, zkey, logger, _witnessOptions, options = {}) {
    return prove(zkey, await calculateWitness(input, wasm, options), logger, options);
  }

  async function verify(verificationKey, publicSignals, proof, logger) {
    const texts = [json(verificationKey), signalsOf(publicSignals), json(proof)];
    try {
      await promised((done) => native.verify(protocol, ...texts, done));
      return true;
    } catch (error) {
      if (!refused.has(error.code)) throw error;
      if (logger) logger.error(error.reason);
      return false;
    }
  }

  async function calldata(proof, publicSignals) {
    try {
      return native.calldata(protocol, signalsOf(publicSignals), json(proof));
    } catch (thrown) {
      throw errorOf(thrown);
    }
  }

  // snarkjs takes the signals first for FFLONK.
  const exportSolidityCallData = protocol === "fflonk" ? (signals, proof) => calldata(proof, signals) : calldata;
  return { prove, fullProve, verify, exportSolidityCallData };
}

const systems = { groth16: protocolNamed("groth16"), plonk: protocolNamed("plonk"), fflonk: protocolNamed("fflonk") };

const zKey = {
  async exportVerificationKey(zkey, _logger) {
    const source = sourceOf(zkey, "the key");
    const failures = [];
    for (const protocol of Object.keys(systems)) {
      try {
        return JSON.parse(await promised((done) => native.verificationKey(protocol, source, done)));
      } catch (error) {
        failures.push(error);
      }
    }
    throw failures[0];
  },
};

const wtns = {
  // Into the member `data` of {type: "mem"}.
  async calculate(input, wasm, into) {
    if (!into || into.type !== "mem") throw new TypeError('the witness goes to {type: "mem"}');
    into.data = await calculateWitness(input, wasm);
  },
};

module.exports = { ...systems, zKey, wtns, Prover, RepriseError, version: native.version };
