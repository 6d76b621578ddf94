/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The C interface of rapidsnark, so that programs written for it work after relinking with this library's
 * librapidsnark. Names, signatures, return codes and sizes are those of rapidsnark (iden3/rapidsnark, src/prover.h,
 * src/verifier.h).
 *
 * Differences: this library also accepts BLS12-381 keys, prerecorded keys, circuits without public signals, and zkey
 * files by name; a prover object may be used by several threads; a proof is verified before it is returned; a public
 * signal that is not below the group order is refused.
 *
 * A zkey in memory is only needed during the call (rapidsnark needs it as long as the prover); a prerecorded key in
 * memory is used in place, and must be kept as long as the prover.
 *
 * Sizes: before the call, *proof_size and *public_size are the sizes of the buffers, including the NUL; after success,
 * the lengths without it; after PROVER_ERROR_SHORT_BUFFER, the sizes that are needed. An error message is truncated to
 * error_msg_maxsize bytes with its NUL; error_msg may be NULL.
 */
#ifndef REPRISE_SHIM_PROVER_H
#define REPRISE_SHIM_PROVER_H

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

enum { PROVER_OK = 0, PROVER_ERROR = 1, PROVER_ERROR_SHORT_BUFFER = 2, PROVER_INVALID_WITNESS_LENGTH = 3 };

/* Buffer sizes that suffice for any proof, and for the public signals of a key in memory or in a file. */
void groth16_proof_size(unsigned long long *proof_size);
int groth16_public_size_for_zkey_buf(const void *zkey_buffer, unsigned long long zkey_size,
                                     unsigned long long *public_size, char *error_msg,
                                     unsigned long long error_msg_maxsize);
int groth16_public_size_for_zkey_file(const char *zkey_fname, unsigned long long *public_size, char *error_msg,
                                      unsigned long long error_msg_maxsize);

/* Create a prover object from a key in memory or in a file, use it and destroy it; groth16_prover_destroy accepts
 * NULL. */
int groth16_prover_create(void **prover_object, const void *zkey_buffer, unsigned long long zkey_size, char *error_msg,
                          unsigned long long error_msg_maxsize);
int groth16_prover_create_zkey_file(void **prover_object, const char *zkey_file_path, char *error_msg,
                                    unsigned long long error_msg_maxsize);
int groth16_prover_prove(void *prover_object, const void *wtns_buffer, unsigned long long wtns_size, char *proof_buffer,
                         unsigned long long *proof_size, char *public_buffer, unsigned long long *public_size,
                         char *error_msg, unsigned long long error_msg_maxsize);
void groth16_prover_destroy(void *prover_object);

/* Creates a prover object from a key in memory or in a file, makes one proof and destroys the object. */
int groth16_prover(const void *zkey_buffer, unsigned long long zkey_size, const void *wtns_buffer,
                   unsigned long long wtns_size, char *proof_buffer, unsigned long long *proof_size,
                   char *public_buffer, unsigned long long *public_size, char *error_msg,
                   unsigned long long error_msg_maxsize);
int groth16_prover_zkey_file(const char *zkey_file_path, const void *wtns_buffer, unsigned long long wtns_size,
                             char *proof_buffer, unsigned long long *proof_size, char *public_buffer,
                             unsigned long long *public_size, char *error_msg, unsigned long long error_msg_maxsize);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
#endif
