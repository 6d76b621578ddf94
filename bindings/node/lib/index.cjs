// SPDX-License-Identifier: Apache-2.0 OR MIT
// The calls of snarkjs, by the same names and with the same arguments and results, and Prover.
"use strict";
const fs = require("fs");
const native = require("./native.cjs");
const { RepriseError, abortable, errorOf, promised } = require("./errors.cjs");
const { Prover, sourceOf } = require("./prover.cjs");
const { withElsewhere } = require("./elsewhere.cjs");
const { calculateWitness } = require("./witness.cjs");

// What is no valid proof, in contrast to what cannot be judged.
const refused = new Set(["RP_ERR_VERIFY", "RP_ERR_INPUT", "RP_ERR_MISMATCH"]);

function json(value) {
  return JSON.stringify(value, (_, inner) => (typeof inner === "bigint" ? inner.toString() : inner));
}

function signalsOf(signals) {
  if (!Array.isArray(signals)) throw new TypeError("the public signals are an array");
  return json(signals.map(String));
}

function protocolNamed(protocol) {
  async function prove(zkey, witness, _logger, given) {
    const options = given || {};
    const { signal } = options;
    if (signal) signal.throwIfAborted();
    const prover = new Prover(zkey, { ...options, inFlight: 1, protocol });
    const proof = prover.prove(witness, options).finally(() => {
      const closed = prover.close();
      return signal && signal.aborted ? undefined : closed; // an opening that nobody waits for ends by itself
    });
    return proof;
  }

  async function fullProve(input, wasm, zkey, logger, witnessOptions, given) {
    const options = given || {};
    return prove(zkey, await calculateWitness(input, wasm, witnessOptions, options), logger, options);
  }

  async function verify(verificationKey, publicSignals, proof, logger, options) {
    const { signal } = options || {};
    if (signal) signal.throwIfAborted();
    const texts = [json(verificationKey), signalsOf(publicSignals), json(proof)];
    try {
      await abortable(promised((done) => native.verify(protocol, ...texts, done)), signal);
      if (logger) logger.info?.("OK!");
      return true;
    } catch (error) {
      if (!refused.has(error.code)) throw error;
      if (logger) logger.error?.(error.reason);
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
  return withElsewhere(protocol, { prove, fullProve, verify, exportSolidityCallData });
}

const systems = { groth16: protocolNamed("groth16"), plonk: protocolNamed("plonk"), fflonk: protocolNamed("fflonk") };

const zKey = withElsewhere("zKey", {
  async exportVerificationKey(zkey, _logger, options) {
    const { signal } = options || {};
    if (signal) signal.throwIfAborted();
    const source = sourceOf(zkey, "the key");
    const failures = [];
    for (const protocol of Object.keys(systems)) {
      try {
        return JSON.parse(await abortable(promised((done) => native.verificationKey(protocol, source, done)), signal));
      } catch (error) {
        if (!(error instanceof RepriseError)) throw error;
        failures.push(error);
      }
    }
    throw failures[0];
  },
});

const wtns = withElsewhere("wtns", {
  // Into the member `data` of {type: "mem"}, or into the file of that name.
  async calculate(input, wasm, into, options) {
    const { signal, ...witnessOptions } = options || {};
    const path = into && into.type === "file" ? into.fileName : into;
    const isMemory = into && into.type === "mem";
    if (!isMemory && typeof path !== "string") throw new TypeError('the witness goes to a path or {type: "mem"}');
    const data = await calculateWitness(input, wasm, witnessOptions, { signal });
    if (isMemory) into.data = data;
    else await fs.promises.writeFile(path, data, { mode: 0o600, signal });
  },
});

const powersOfTau = withElsewhere("powersOfTau", {}), r1cs = withElsewhere("r1cs", {});
const curves = withElsewhere("curves", {});

module.exports = { ...systems, zKey, wtns, powersOfTau, r1cs, curves, Prover, RepriseError, version: native.version };
