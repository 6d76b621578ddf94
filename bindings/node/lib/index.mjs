// SPDX-License-Identifier: Apache-2.0 OR MIT
import reprise from "./index.cjs";

export const { groth16, plonk, fflonk, zKey, wtns, powersOfTau, r1cs, curves, Prover, RepriseError, version } = reprise;
export default reprise;
