/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The verifier of rapidsnark's C interface (prover.h). An error message is truncated to error_msg_maxsize bytes with
 * its NUL; error_msg may be NULL.
 */
#ifndef REPRISE_SHIM_VERIFIER_H
#define REPRISE_SHIM_VERIFIER_H

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

enum { VERIFIER_VALID_PROOF = 0, VERIFIER_INVALID_PROOF = 1, VERIFIER_ERROR = 2 };

/* NUL-terminated JSON texts. */
int groth16_verify(const char *proof, const char *inputs, const char *verification_key, char *error_msg,
                   unsigned long error_msg_maxsize);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
#endif
