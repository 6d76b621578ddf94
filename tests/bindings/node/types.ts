// SPDX-License-Identifier: Apache-2.0 OR MIT
// What the types allow; tsc --strict reads it.
import type { CircuitSignals, FflonkProof, Groth16Proof, PlonkProof, PublicSignals } from "reprise-prover";
import { fflonk, groth16, plonk, Prover, RepriseError, zKey, wtns, version } from "reprise-prover";

async function main(): Promise<void> {
  const { proof, publicSignals } = await groth16.fullProve({ a: 3n, b: [1, "2"] }, "c.wasm", "c.zkey");
  const x: string = proof.pi_b[1][0] + publicSignals[0];
  const plonkProof = JSON.parse("{}") as PlonkProof, read: Groth16Proof = proof, inputs: CircuitSignals = { a: [[1n]] };
  await groth16.fullProve(inputs, "c.wasm", "c.zkey", undefined, undefined, { singleThread: true });
  console.log(plonkProof.eval_a.length, read.pi_c);
  const vkey = await zKey.exportVerificationKey({ type: "mem", data: new Uint8Array(1) });
  const good: boolean = await groth16.verify(vkey, publicSignals, proof, console);
  const prover = new Prover("c.zkey", { device: "cuda:1", inFlight: 2, tables: true });
  await prover.prove(new Uint8Array(3), { signal: AbortSignal.timeout(5) });
  await (await prover.ready).close();
  await plonk.prove("c.zkey", "w.wtns", undefined, { device: "cpu" });
  const written: { proof: FflonkProof; publicSignals: PublicSignals } = JSON.parse("{}");
  await fflonk.exportSolidityCallData(["1"], written.proof);
  const into: { type: "mem"; data?: Uint8Array } = { type: "mem" };
  await wtns.calculate({}, "c.wasm", into);
  await wtns.calculate({}, "c.wasm", "c.wtns", { signal: AbortSignal.timeout(5) });
  await plonk.verify(vkey, publicSignals, plonkProof, null, { signal: AbortSignal.timeout(5) });
  // @ts-expect-error a witness is no number
  await prover.prove(5);
  // @ts-expect-error no such device
  new Prover("c.zkey", { device: "gpu" });
  console.log(x, good, version, new RepriseError("no").code);
}
main().catch((error: unknown) => console.log(error));
