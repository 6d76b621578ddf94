// SPDX-License-Identifier: Apache-2.0 OR MIT

/** A path, the bytes of a file, or what snarkjs takes for bytes in memory. */
export type Source = string | Uint8Array | { type: "mem"; data?: Uint8Array } | { type: "file"; fileName: string };
export type Signal = string | number | bigint;

/** Names that @types/snarkjs has, for programs that move from there. */
export type NumericString = string;
export type ZKArtifact = Source;
export type SignalValueType = Signal | SignalValueType[];
export type CircuitSignals = Record<string, SignalValueType>;
export type PublicSignals = string[];

/** "auto" is the best device there is; "cuda:1" the second CUDA device. */
export type DeviceName = "auto" | "cpu" | "cuda" | "vulkan" | `${"auto" | "cpu" | "cuda" | "vulkan"}:${number}`;

/** What snarkjs takes as a logger; `error` is told why a proof is refused, `info` that one is valid. */
export interface Logger {
  error?(message: string): void;
  info?(message: string): void;
  debug?(message: string): void;
  warn?(message: string): void;
}

export interface Abortable {
  /** The promise is rejected with the signal's reason as soon as it is aborted. */
  signal?: AbortSignal;
}

export interface Options {
  device?: DeviceName;
  /** Precomputed tables as far as memory allows; worth it for many proofs. */
  tables?: boolean;
  /** Of snarkjs, without effect: how many threads work is the device's. */
  singleThread?: boolean;
  /** Stops the proof; the promise is rejected with the signal's reason. */
  signal?: AbortSignal;
}

/** Proofs as snarkjs writes them. */
export interface Groth16Proof {
  pi_a: string[];
  pi_b: string[][];
  pi_c: string[];
  protocol: string;
  curve: string;
}
export interface PlonkProof extends Record<"A" | "B" | "C" | "Z" | "T1" | "T2" | "T3" | "Wxi" | "Wxiw", string[]>,
  Record<"eval_a" | "eval_b" | "eval_c" | "eval_s1" | "eval_s2" | "eval_zw", string> {
  protocol: string;
  curve: string;
}
export interface FflonkProof {
  polynomials: Record<"C1" | "C2" | "W1" | "W2", string[]>;
  evaluations: Record<"ql" | "qr" | "qm" | "qo" | "qc" | "s1" | "s2" | "s3" | "a" | "b" | "c" | "z" | "zw" | "t1w" |
    "t2w" | "inv", string>;
  protocol: string;
  curve: string;
}

export interface Result<Proof> {
  proof: Proof;
  publicSignals: string[];
}

export interface ProofSystem<Proof> {
  /** One proof, verified before it comes back. For more than one of a circuit, keep a Prover. */
  prove(zkey: Source, witness: Source, logger?: unknown, options?: Options | null): Promise<Result<Proof>>;
  /** The same from a circuit's inputs; circom's program runs in a worker that ends with it. */
  fullProve(input: CircuitSignals, wasm: Source, zkey: Source, logger?: unknown, witnessOptions?: unknown,
    options?: Options | null): Promise<Result<Proof>>;
  verify(verificationKey: object, publicSignals: Signal[], proof: Proof, logger?: Logger | null,
    options?: Abortable | null): Promise<boolean>;
  exportSolidityCallData(proof: Proof, publicSignals: Signal[]): Promise<string>;
}

export const groth16: ProofSystem<Groth16Proof>;
export const plonk: ProofSystem<PlonkProof>;
export const fflonk: Omit<ProofSystem<FflonkProof>, "exportSolidityCallData"> & {
  /** As in snarkjs, the public signals come first. */
  exportSolidityCallData(publicSignals: Signal[], proof: FflonkProof): Promise<string>;
};

export const zKey: {
  exportVerificationKey(zkey: Source, logger?: unknown, options?: Abortable | null): Promise<Record<string, any>>;
};
export const wtns: {
  /** Into a new file, which others cannot read, or into `data`. */
  calculate(input: CircuitSignals, wasm: Source,
    into: string | { type: "mem"; data?: Uint8Array } | { type: "file"; fileName: string },
    options?: (Abortable & { sanityCheck?: boolean; memorySize?: number }) | null): Promise<void>;
};

export interface ProverOptions extends Omit<Options, "signal"> {
  /** Proofs at once, 1 to 64. */
  inFlight?: number;
  protocol?: "groth16" | "plonk" | "fflonk";
}

/** A key recorded on a device, once. Proofs are made in the order in which they are asked for, inFlight at a time. */
export class Prover<Proof = Groth16Proof> {
  constructor(zkey: Source, options?: ProverOptions);
  /** Fulfilled when the key is recorded; `prove` waits for it by itself. */
  readonly ready: Promise<this>;
  prove(witness: Source, options?: { signal?: AbortSignal }): Promise<Result<Proof>>;
  fullProve(input: CircuitSignals, wasm: Source, options?: { signal?: AbortSignal }): Promise<Result<Proof>>;
  /** Waits for the proofs that were asked for, then frees the prover. */
  close(): Promise<void>;
}

/** What snarkjs has and this package has not: calls of `plonk.setup`, `powersOfTau.verify` and so on reject. */
export const powersOfTau: Record<string, () => Promise<never>>;
export const r1cs: Record<string, () => Promise<never>>;
export const curves: Record<string, () => Promise<never>>;

/** A failure that the library reports. */
export class RepriseError extends Error {
  readonly status: number;
  /** Such as "RP_ERR_INPUT". */
  readonly code: string;
  /** What is wrong, where, and what to do. */
  readonly reason: string;
}

/** The version of the library. */
export const version: string;
