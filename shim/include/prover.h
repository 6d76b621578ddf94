/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The C interface of rapidsnark, so that a program that was written for it relinks with librapidsnark of this library
 * and goes on working. Names, signatures, return codes and sizes are rapidsnark's (iden3/rapidsnark,
 * src/prover.h, src/verifier.h).
 *
 * Where this one does more: it also takes BLS12-381 keys, prerecorded keys, circuits without public signals, zkey files
 * by name; a prover object may be used by several threads; a proof is verified before it is given out; a public signal
 * that is not below the group order is not accepted.
 *
 * A zkey in memory is needed during the call only (rapidsnark wants it as long as the prover); a prerecorded key in
 * memory is used in place and must stay.
 *
 * Sizes: *proof_size and *public_size hold the room in the buffers, NUL included. After success they hold the lengths
 * without it; after PROVER_ERROR_SHORT_BUFFER the room that is needed. An error message is cut to error_msg_maxsize
 * with its NUL; error_msg may be NULL.
 */
#ifndef REPRISE_SHIM_PROVER_H
#define REPRISE_SHIM_PROVER_H

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

enum { PROVER_OK = 0, PROVER_ERROR = 1, PROVER_ERROR_SHORT_BUFFER = 2, PROVER_INVALID_WITNESS_LENGTH = 3 };

/* Room that is enough for any proof, and for the public signals of a key. */
void groth16_proof_size(unsigned long long *proof_size);
int groth16_public_size_for_zkey_buf(const void *zkey_buffer, unsigned long long zkey_size,
                                     unsigned long long *public_size, char *error_msg,
                                     unsigned long long error_msg_maxsize);
int groth16_public_size_for_zkey_file(const char *zkey_fname, unsigned long long *public_size, char *error_msg,
                                      unsigned long long error_msg_maxsize);

/* A prover object; groth16_prover_destroy accepts NULL. */
int groth16_prover_create(void **prover_object, const void *zkey_buffer, unsigned long long zkey_size, char *error_msg,
                          unsigned long long error_msg_maxsize);
int groth16_prover_create_zkey_file(void **prover_object, const char *zkey_file_path, char *error_msg,
                                    unsigned long long error_msg_maxsize);
int groth16_prover_prove(void *prover_object, const void *wtns_buffer, unsigned long long wtns_size, char *proof_buffer,
                         unsigned long long *proof_size, char *public_buffer, unsigned long long *public_size,
                         char *error_msg, unsigned long long error_msg_maxsize);
void groth16_prover_destroy(void *prover_object);

/* The three of them in one call. */
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
