/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "hostile_gnark.h"

#include <reprise/host.h>
#include <reprise/types.h>

#include <stdio.h>
#include <string.h>

#define FORMAT RP_ERR_FORMAT
#define RAW "bn254/range/pk.raw"
#define BIN "bn254/range/pk.bin"
#define DUMP "bn254/range/pk.dump"
#define BLS_BIN "bls12-381/range/pk.bin"
#define BLS_RAW "bls12-381/range/pk.raw"
#define VK "bn254/twocommit/vk.raw"
#define VK_BIN "bn254/range/vk.bin"
#define BLS_VK_BIN "bls12-381/range/vk.bin"
#define PROOF "bn254/range/proof.raw"
#define PROOF_BIN "bls12-381/range/proof.bin"
#define SOLUTION "bn254/range/solution.bin"
#define MONT "bn254/range/solution.mont"
#define PUBLIC "bn254/range/witness.pub"
/* The files have big-endian numbers, and the damages write little-endian ones. */
#define BE32(x) ((uint64_t)__builtin_bswap32((uint32_t)(x)))
#define BE64(x) ((uint64_t)__builtin_bswap64((uint64_t)(x)))

/* Offsets in pk.raw of the circuit `range` over BN254: 38 points A, 37 B, 63 Z, 38 K, 76 wires, 35 of them committed */
enum {
  G1 = 64,
  N_INVERSE = 8,
  OMEGA = 40,
  OMEGA_INVERSE = 72,
  SHIFT = 104,
  SHIFT_INVERSE = 136,
  FLAG = 168,
  ALPHA = 169,
  BETA = ALPHA + G1,
  COUNT_A = ALPHA + 3 * G1,
  COUNT_B = COUNT_A + 4 + 38 * G1,
  COUNT_Z = COUNT_B + 4 + 37 * G1,
  COUNT_K = COUNT_Z + 4 + 63 * G1,
  BETA2 = COUNT_K + 4 + 38 * G1,
  DELTA2 = BETA2 + 2 * G1,
  COUNT_B2 = DELTA2 + 2 * G1,
  WIRES = COUNT_B2 + 4 + 37 * 2 * G1,
  INFINITY_A = WIRES + 8,
  INFINITY_B = WIRES + 16,
  MAP_A = WIRES + 24,
  MAP_B = MAP_A + 76,
  COMMITMENTS = MAP_B + 76,
  BASIS = COMMITMENTS + 4,
  BASIS_SIGMA = BASIS + 4 + 35 * G1,
  RAW_BYTES = BASIS_SIGMA + 4 + 35 * G1
};
/* in pk.bin over BN254, and over BLS12-381: the first point of A */
enum { BIN_A = ALPHA + 3 * 32 + 4, BLS_BIN_A = ALPHA + 3 * 48 + 4, BLS_RAW_A = ALPHA + 3 * 96 + 4 };
/* in pk.bin over BN254: beta in G2, behind four arrays of G1 */
enum { BIN_BETA2 = BIN_A + (38 + 37 + 63 + 38) * 32 + 3 * 4 };
/* In pk.dump: everything that is not an array, then the length of A. */
enum { DUMP_COUNT_A = 8 + ALPHA + 3 * G1 + 4 * G1 + 24 + 2 * 76 + 4, DUMP_A = DUMP_COUNT_A + 8 };
/* in vk.raw of the circuit `twocommit`: 5 points K, two lists of one index each, two keys */
enum {
  VK_BETA2 = 2 * G1,
  VK_GAMMA2 = VK_BETA2 + 2 * G1,
  VK_DELTA = VK_GAMMA2 + 2 * G1,
  VK_COUNT_K = VK_DELTA + 3 * G1,
  VK_LISTS = VK_COUNT_K + 4 + 5 * G1,
  VK_KEYS = VK_LISTS + 4 + 2 * 12
};
/* in vk.bin over BN254, and over BLS12-381; -sigma G is the last point */
enum { VK_BIN_GAMMA2 = 4 * 32, VK_BIN_BYTES = 528, BLS_VK_BIN_K = 3 * 48 + 3 * 96 + 4 };
enum { PROOF_N = 4 * G1, PROOF_D = PROOF_N + 4 };
enum { A_OF_SOLUTION = 4 + 76 * 32, A_OF_MONT = 8 + 76 * 32 };
/* in pk.dump over BN254: points and counts before the arrays */
enum {
  DUMP_ALPHA = 8 + ALPHA,
  DUMP_BETA2 = DUMP_ALPHA + 3 * G1,
  DUMP_WIRES = DUMP_BETA2 + 4 * G1,
  DUMP_MAP_A = DUMP_WIRES + 24,
  DUMP_COMMITMENTS = DUMP_COUNT_A - 4,
  DUMP_B2 = DUMP_A + 38 * G1 + 8 + 37 * G1 + 8 + 63 * G1 + 8 + 38 * G1 + 8
};
/* in pk.bin over BN254: the first points of Z, and of B in G2 */
enum { BIN_Z = BIN_A + (38 + 37) * 32 + 2 * 4, BIN_B2 = BIN_BETA2 + 4 * 32 + 4 };

/* Replaces a raw point of G2 over BN254 by another one of the file. */
static void copy_g2(hostile_buffer *b, uint64_t to, uint64_t from, uint64_t z) {
  (void)z;
  memmove(b->data + to, b->data + from, 2 * G1);
}

/* Takes the last of `n` raw points away from the array whose count is at `count`. */
static void drop_point(hostile_buffer *b, uint64_t count, uint64_t n, uint64_t bytes) {
  const size_t last = count + 4 + (n - 1) * bytes;
  b->data[count + 3] = (uint8_t)(n - 1);
  memmove(b->data + last, b->data + last + bytes, b->size - last - bytes);
  b->size -= bytes;
}

/* A solution of `bytes` bytes, with `w` values of W and `a` values of A, all zero. */
static void few_values(hostile_buffer *b, uint64_t bytes, uint64_t w, uint64_t a) {
  b->size = bytes;
  memset(b->data, 0, bytes);
  b->data[3] = (uint8_t)w;
  b->data[7 + 32 * w] = (uint8_t)a;
}

/* Puts the domain of another family's file in place of this one's, which has the same size. */
static void graft_domain(hostile_buffer *b, uint64_t bls, uint64_t y, uint64_t z) {
  const rp_field_host *fr = rp_field_get(bls ? RP_FIELD_BLS12_381_FR : RP_FIELD_BN254_FR);
  uint64_t value[5][4] = {{64}, {0}, {0}, {bls ? 7 : 5}};
  (void)y, (void)z;
  for (int i = 0; i < 4; i += 3) (void)fr->from_canonical(value[i], value[i]);
  fr->inv(value[0], value[0]);
  (void)fr->root(value[1], RP_ROOT_ARKWORKS, 6);
  fr->inv(value[2], value[1]);
  fr->inv(value[4], value[3]);
  for (int i = 0; i < 5; i++) {
    uint8_t *to = b->data + N_INVERSE + 32 * i;
    fr->to_canonical(value[i], value[i]);
    for (int k = 0; k < 32; k++) to[k] = (uint8_t)(value[i][(31 - k) / 8] >> 8 * ((31 - k) % 8));
  }
}

/* Makes two points wrong in different ways: for the one at x there is no y, and the one at y is too large. */
static void two_points(hostile_buffer *b, uint64_t x, uint64_t y, uint64_t mask) {
  damage_flip(b, 0, x, mask);
  damage_ones(b, 0, y, 32);
}

/* Writes a solution in Montgomery form whose lengths are w, a, b and c, which has room for all of them. */
static void lengths(hostile_buffer *b, uint64_t w, uint64_t a, uint64_t abc) {
  const uint64_t n[4] = {w, a, abc >> 8, abc & 0xff};
  size_t at = 0;
  for (int v = 0; v < 4; v++) {
    memset(b->data + at, 0, 8 + 32 * n[v]);
    b->data[at] = (uint8_t)n[v];
    at += 8 + 32 * n[v];
  }
  b->size = at;
}

/* clang-format off */
/* The cases named _subgroup have a compressed point with another x, for which there is a point of the curve. */
const hostile_gnark_case hostile_gnark_cases[] = {
    /* proving keys: the file as such */
    {.name = "pk_cut_domain", RAW, FORMAT, "the domain at byte 0", damage_cut, 39},
    {.name = "pk_cut_flag", RAW, FORMAT, "the flag", damage_cut, FLAG},
    {.name = "pk_cut_in_a", RAW, FORMAT, "A at byte", damage_cut, COUNT_A + 4 + 38 * G1 - 1},
    {.name = "pk_cut_in_count", RAW, FORMAT, "K at byte", damage_cut, COUNT_K + 3},
    {.name = "pk_cut_in_b2", RAW, FORMAT, "B in G2 at byte", damage_cut, WIRES - 1},
    {.name = "pk_cut_in_map", RAW, FORMAT, "the map of wires without A", damage_cut, MAP_A + 75},
    {.name = "pk_cut_before_commitments", RAW, FORMAT, "the number of commitments", damage_cut, COMMITMENTS},
    {.name = "pk_cut_last_byte", RAW, FORMAT, "basis times sigma", damage_cut, RAW_BYTES - 1},
    {.name = "pk_tail", RAW, FORMAT, "3 bytes after its end", damage_append, 3},
    {.name = "pk_bin_cut", BIN, FORMAT, "claims 35 elements", damage_cut, 10840},
    {.name = "pk_dump_cut", DUMP, FORMAT, "claims 35 elements", damage_cut, 21340},
    {.name = "pk_dump_magic", DUMP, FORMAT, "domain", damage_flip, 0, 0, 1},
    /* proving keys: the domain */
    {.name = "pk_domain_0", RAW, FORMAT, "not a power of two", damage_u64, 0, 0, BE64(0)},
    {.name = "pk_domain_63", RAW, FORMAT, "not a power of two", damage_u64, 0, 0, BE64(63)},
    {.name = "pk_domain_32", RAW, FORMAT, "1/n is the inverse", damage_u64, 0, 0, BE64(32)},
    {.name = "pk_domain_2_63", RAW, FORMAT, "1/n is the inverse", damage_u64, 0, 0, BE64(1ull << 63)},
    {.name = "pk_n_inverse", RAW, FORMAT, "1/n is the inverse", damage_flip, 0, N_INVERSE + 31, 1},
    {.name = "pk_omega", RAW, FORMAT, "omega is not a root of unity", damage_flip, 0, OMEGA + 31, 1},
    {.name = "pk_omega_large", RAW, FORMAT, "omega at byte 40: it is not below", damage_ones, 0, OMEGA, 32},
    {.name = "pk_omega_inverse", RAW, FORMAT, "1/omega is not the inverse", damage_flip, 0, OMEGA_INVERSE + 31, 1},
    {.name = "pk_shift_zero", RAW, FORMAT, "1/g is not the inverse", damage_zero, 0, SHIFT, 32},
    {.name = "pk_shift_in_domain", RAW, FORMAT, "the coset of g is the domain itself", damage_copy, 0, SHIFT, OMEGA},
    {.name = "pk_shift_inverse", RAW, FORMAT, "1/g is not the inverse", damage_flip, 0, SHIFT_INVERSE + 31, 1},
    {.name = "pk_flag", RAW, FORMAT, "its flag is 2", damage_flip, 0, FLAG, 3},
    /* proving keys: points */
    {.name = "pk_alpha_infinity", RAW, FORMAT, "alpha in G1 at byte 169: it is the point at infinity", damage_zero, 0,
     ALPHA, 64},
    {.name = "pk_alpha_off_curve", RAW, FORMAT, "alpha in G1 at byte 169: it is not on the curve", damage_flip, 0,
     ALPHA + 63, 1},
    {.name = "pk_beta_other_form", RAW, FORMAT, "of another form", damage_flip, 0, BETA, 0x80},
    {.name = "pk_beta_coordinate", RAW, FORMAT, "not below the prime q", damage_ones, 0, BETA + 32, 32},
    {.name = "pk_beta2_off_curve", RAW, FORMAT, "beta in G2 at byte 11641: it is not on the curve", damage_flip, 0,
     BETA2 + 127, 1},
    {.name = "pk_delta2_infinity", RAW, FORMAT, "delta in G2 at byte 11769: it is the point at infinity", damage_zero,
     0, DELTA2, 128},
    {.name = "pk_a_off_curve", RAW, FORMAT, "A, point 2 at byte 493: it is not on the curve", damage_flip, 0,
     COUNT_A + 4 + 2 * G1 + 63, 1},
    {.name = "pk_a_other_form", RAW, FORMAT, "A, point 0 at byte 365: it is of another form", damage_flip, 0,
     COUNT_A + 4, 0x40},
    {.name = "pk_z_coordinate", RAW, FORMAT, "Z, point 62", damage_ones, 0, COUNT_K - 32, 32},
    {.name = "pk_basis_off_curve", RAW, FORMAT, "basis of a commitment, point 34", damage_flip, 0, BASIS_SIGMA - 1, 1},
    {.name = "pk_sigma_off_curve", RAW, FORMAT, "basis times sigma of a commitment, point 34", damage_flip, 0,
     RAW_BYTES - 1, 1},
    {.name = "pk_bin_other_form", BIN, FORMAT, "A, point 0 at byte 269: it is of another form", damage_zero, 0, BIN_A,
     1},
    {.name = "pk_bin_infinity_marked", BIN, FORMAT, "marked as infinity, and has coordinates", damage_flip, 0, BIN_A,
     0xc0},
    {.name = "pk_bin_no_x", BIN, FORMAT, "A, point 0 at byte 269: no point of the curve has its x", damage_flip, 0,
     BIN_A + 31, 2},
    {.name = "pk_bin_x_large", BIN, FORMAT, "not below the prime q", damage_ones, 0, BIN_A, 32},
    {.name = "pk_bls_no_form", BLS_BIN, FORMAT, "marks no form", damage_ones, 0, BLS_BIN_A, 1},
    {.name = "pk_bls_raw_zero", BLS_RAW, FORMAT, "not marked as infinity", damage_zero, 0, BLS_RAW_A, 96},
    {.name = "pk_bls_raw_marked", BLS_RAW, FORMAT, "marked as infinity, and has coordinates", damage_flip, 0, BLS_RAW_A,
     0x40},
    {.name = "pk_bin_beta2_subgroup", BIN, FORMAT, "beta in G2 at byte 5913: it is not in the subgroup", damage_flip, 0,
     BIN_BETA2 + 63, 1},
    {.name = "pk_bls_a_subgroup", BLS_BIN, FORMAT, "A, point 0 at byte 317: it is not in the subgroup", damage_flip, 0,
     BLS_BIN_A + 47, 1},
    {.name = "pk_dump_coordinate", DUMP, FORMAT, "A, point 0", damage_ones, 0, DUMP_A + 32, 32},
    {.name = "pk_dump_off_curve", DUMP, FORMAT, "A, point 0 at byte 813: it is not on the curve", damage_flip, 0,
     DUMP_A, 1},
    /* proving keys: counts */
    {.name = "pk_count_a_more", RAW, FORMAT, "B in G1 at byte", damage_u32, 0, COUNT_A, BE32(39)},
    {.name = "pk_count_a_ones", RAW, FORMAT, "claims 4294967295 elements", damage_u32, 0, COUNT_A, 0xffffffff},
    {.name = "pk_dump_count_ones", DUMP, FORMAT, "claims 18446744073709551615 elements", damage_ones, 0, DUMP_COUNT_A,
     8},
    {.name = "pk_dump_count_wraps", DUMP, FORMAT, "claims 288230376151711782 elements", damage_u64, 0, DUMP_COUNT_A,
     (1ull << 58) + 38},
    {.name = "pk_wires_0", RAW, FORMAT, "wires", damage_u64, 0, WIRES, 0},
    {.name = "pk_no_wires", RAW, FORMAT, "has 0 wires, and 1 to", damage_zero, 0, WIRES, 24},
    {.name = "pk_wires_77", RAW, FORMAT, "commitments, at most 16 are read", damage_u64, 0, WIRES, BE64(77)},
    {.name = "pk_wires_2_40", RAW, FORMAT, "claims 1099511627776 elements", damage_u64, 0, WIRES, BE64(1ull << 40)},
    {.name = "pk_infinity_a_count", RAW, FORMAT, "A at byte 365 has 38 points", damage_u64, 0, INFINITY_A, BE64(37)},
    {.name = "pk_infinity_b_count", RAW, FORMAT, "B in G1 at byte", damage_u64, 0, INFINITY_B, BE64(40)},
    {.name = "pk_infinity_a_wraps", RAW, FORMAT, "the map of wires without A", damage_u64, 0, INFINITY_A, ~0ull},
    {.name = "pk_map_a_2", RAW, FORMAT, "neither 0 nor 1", damage_flip, 0, MAP_A + 3, 2},
    {.name = "pk_map_b_count", RAW, FORMAT, "the map of wires without B marks", damage_flip, 0, MAP_B + 9, 1},
    {.name = "pk_commitments_many", RAW, FORMAT, "at most 16", damage_u32, 0, COMMITMENTS, BE32(17)},
    {.name = "pk_commitments_0", RAW, FORMAT, "bytes after its end", damage_u32, 0, COMMITMENTS, 0},
    {.name = "pk_commitments_2", RAW, FORMAT, "basis of a commitment", damage_u32, 0, COMMITMENTS, BE32(2)},
    {.name = "pk_basis_count", RAW, FORMAT, "basis times sigma of a commitment at byte", damage_u32, 0, BASIS,
     BE32(34)},
    {.name = "pk_a_less", RAW, FORMAT, "A at byte 365 has 37 points, the wires that have one ask for 38", drop_point,
     COUNT_A, 38, G1},
    {.name = "pk_b_less", RAW, FORMAT, "has 36 points, the wires that have one ask for 37", drop_point, COUNT_B, 37,
     G1},
    {.name = "pk_b2_less", RAW, FORMAT, "has 36 points, the wires that have one ask for 37", drop_point, COUNT_B2, 37,
     2 * G1},
    {.name = "pk_z_less", RAW, FORMAT, "has 62 points, the coefficients of the quotient ask for 63", drop_point,
     COUNT_Z, 63, G1},
    {.name = "pk_sigma_less", RAW, FORMAT, "has 34 points, the committed wires ask for 35", drop_point, BASIS_SIGMA, 35,
     G1},
    /* verifying keys */
    {.name = "vk_empty", VK, FORMAT, "is empty", damage_cut, 0},
    {.name = "vk_cut_alpha", VK, FORMAT, "alpha in G1", damage_cut, 63},
    {.name = "vk_cut_end", VK, FORMAT, "-sigma G", damage_cut, 1443},
    {.name = "vk_tail", VK, FORMAT, "1 bytes after its end", damage_append, 1},
    {.name = "vk_alpha_infinity", VK, FORMAT, "alpha in G1 at byte 0: it is the point at infinity", damage_zero, 0, 0,
     64},
    {.name = "vk_gamma_off_curve", VK, FORMAT, "gamma in G2 at byte 256: it is not on the curve", damage_flip, 0,
     VK_GAMMA2 + 127, 1},
    {.name = "vk_delta_coordinate", VK, FORMAT, "delta in G1 at byte 384: a coordinate", damage_ones, 0, VK_DELTA + 32,
     32},
    {.name = "vk_k_none", VK, FORMAT, "K has 0 points, too few for the constant and 1 commitments", damage_u64, 0,
     VK_COUNT_K, BE64(1)},
    {.name = "vk_k_ones", VK, FORMAT, "claims 4294967295 elements", damage_u32, 0, VK_COUNT_K, 0xffffffff},
    {.name = "vk_k_off_curve", VK, RP_ERR_INPUT, "a point of IC is not on the curve", damage_flip, 0,
     VK_COUNT_K + 4 + 63, 1},
    {.name = "vk_lists_many", VK, FORMAT, "at most 16", damage_u32, 0, VK_LISTS, BE32(17)},
    {.name = "vk_list_long", VK, FORMAT, "claims 4294967295 elements", damage_u32, 0, VK_LISTS + 4, 0xffffffff},
    {.name = "vk_index_0", VK, FORMAT, "hashes value 0 of K", damage_u64, 0, VK_LISTS + 8, 0},
    {.name = "vk_index_3", VK, FORMAT, "commitment 0 hashes value 3 of K, and only 1 to 2", damage_u64, 0, VK_LISTS + 8,
     BE64(3)},
    {.name = "vk_index_4", VK, FORMAT, "commitment 1 hashes value 4 of K, and only 1 to 3", damage_u64, 0,
     VK_LISTS + 20, BE64(4)},
    {.name = "vk_index_ones", VK, FORMAT, "hashes value 18446744073709551615", damage_u64, 0, VK_LISTS + 20, ~0ull},
    {.name = "vk_keys_1", VK, FORMAT, "1 commitment keys for 2 commitments", damage_u32, 0, VK_KEYS, BE32(1)},
    {.name = "vk_key_infinity", VK, FORMAT, "G of a commitment key", damage_zero, 0, VK_KEYS + 4, 128},
    {.name = "vk_keys_of_two_g", VK, FORMAT, "commitment keys 0 and 1 have different points G", copy_g2,
     VK_KEYS + 4 + 4 * G1, VK_KEYS + 4 + 2 * G1},
    {.name = "vk_bin_gamma_subgroup", VK_BIN, FORMAT, "gamma in G2 at byte 128: it is not in the subgroup", damage_flip,
     0, VK_BIN_GAMMA2 + 63, 2},
    {.name = "vk_bin_key_subgroup", VK_BIN, FORMAT,
     "-sigma G of a commitment key at byte 464: it is not in the subgroup", damage_flip, 0, VK_BIN_BYTES - 1, 5},
    {.name = "vk_bls_alpha_subgroup", BLS_VK_BIN, FORMAT, "alpha in G1 at byte 0: it is not in the subgroup",
     damage_flip, 0, 47, 1},
    {.name = "vk_bls_k_subgroup", BLS_VK_BIN, RP_ERR_INPUT, "a point of IC is not in the subgroup", damage_flip, 0,
     BLS_VK_BIN_K + 47, 1},
    {.name = "vk_bin_cut", VK_BIN, FORMAT, "cut short", damage_cut, 527},
    {.name = "vk_bin_no_x", VK_BIN, FORMAT, "no point of the curve has its x", damage_flip, 0, 31, 3},
    /* proofs */
    {.name = "proof_cut", PROOF, FORMAT, "the proof of knowledge", damage_cut, 387},
    {.name = "proof_cut_ar", PROOF, FORMAT, "Ar at byte 0", damage_cut, 10},
    {.name = "proof_tail", PROOF, FORMAT, "1 bytes after its end", damage_append, 1},
    {.name = "proof_count", PROOF, FORMAT, "claims 4294967295 commitments", damage_u32, 0, PROOF_N, 0xffffffff},
    {.name = "proof_count_0", PROOF, FORMAT, "bytes after its end", damage_u32, 0, PROOF_N, 0},
    {.name = "proof_coordinate", PROOF, FORMAT, "Krs at byte 192: a coordinate", damage_ones, 0, 3 * G1 + 32, 32},
    {.name = "proof_other_form", PROOF, FORMAT, "commitments, point 0 at byte 260: it is of another form", damage_flip,
     0, PROOF_D, 0x80},
    {.name = "proof_bin_no_x", PROOF_BIN, FORMAT, "no point of the curve has its x", damage_flip, 0, 47, 1},
    {.name = "proof_bin_infinity", PROOF_BIN, FORMAT, "marked as infinity, and has coordinates", damage_flip, 0, 48,
     0x40},
    /* solutions and witnesses */
    {.name = "solution_cut", SOLUTION, FORMAT, "C at byte", damage_cut, 6352},
    {.name = "solution_count_ones", SOLUTION, FORMAT, "W at byte 4: claims 4294967295", damage_u32, 0, 0, 0xffffffff},
    {.name = "solution_no_w", SOLUTION, FORMAT, "6368 bytes after its end", damage_u32, 0, 0, 0},
    {.name = "solution_empty", SOLUTION, FORMAT, "W has no values", few_values, 16, 0, 0},
    {.name = "solution_a_alone", SOLUTION, FORMAT, "A, B and C have 1, 0 and 0 values", few_values, 16 + 2 * 32, 1, 1},
    {.name = "solution_one", SOLUTION, FORMAT, "W, value 0 at byte 4 is not the constant 1", damage_flip, 0, 35, 2},
    {.name = "solution_value_large", SOLUTION, FORMAT, "W, value 75 at byte 2404 is not below", damage_ones, 0,
     A_OF_SOLUTION - 32, 32},
    {.name = "solution_a_large", SOLUTION, FORMAT, "A, value 0 at byte 2440 is not below", damage_ones, 0,
     A_OF_SOLUTION + 4, 32},
    {.name = "mont_count_ones", MONT, FORMAT, "W at byte 8: claims 18446744073709551615", damage_ones, 0, 0, 8},
    {.name = "mont_value_large", MONT, FORMAT, "W, value 1 at byte 40 is not below", damage_ones, 0, 40, 32},
    {.name = "mont_one", MONT, FORMAT, "not the constant 1", damage_flip, 0, 8, 1},
    {.name = "public_count", PUBLIC, FORMAT, "values at byte 12: claims 2 elements", damage_u32, 0, 8, BE32(2)},
    {.name = "public_sum", PUBLIC, FORMAT, "counts 2 public", damage_u32, 0, 0, BE32(2)},
    {.name = "public_sum_wraps", PUBLIC, FORMAT, "counts 4294967295 public and 2 secret", damage_u64, 0, 0,
     BE64(0xffffffff00000002)},
    {.name = "public_cut", PUBLIC, FORMAT, "claims 1 elements", damage_cut, 43},
    {.name = "public_tail", PUBLIC, FORMAT, "after its end", damage_append, 32},
    /* dumps: what stands before the arrays */
    {.name = "pk_dump_cut_in_magic", DUMP, FORMAT, "the domain at byte 8 takes 40 bytes, the file has 0 left",
     damage_cut, 7},
    {.name = "pk_dump_magic_alone", DUMP, FORMAT, "the domain at byte 8", damage_cut, 8},
    {.name = "pk_dump_big_endian", DUMP, FORMAT, "domain", damage_u64, 0, 0, BE64(0xdeadbeef)},
    {.name = "pk_dump_alpha_compressed", DUMP, FORMAT, "alpha in G1 at byte 177: it is of another form", damage_flip, 0,
     DUMP_ALPHA, 0x80},
    {.name = "pk_dump_beta2_off_curve", DUMP, FORMAT, "beta in G2 at byte 369: it is not on the curve", damage_flip, 0,
     DUMP_BETA2 + 127, 1},
    {.name = "pk_dump_wires_ones", DUMP, FORMAT, "the map of wires without A at byte", damage_ones, 0, DUMP_WIRES, 8},
    {.name = "pk_dump_infinity_ones", DUMP, FORMAT, "the map of wires without A has 18446744073709551615 entries of 76",
     damage_ones, 0, DUMP_WIRES + 8, 8},
    {.name = "pk_dump_map_3", DUMP, FORMAT, "wire 5 at byte 654: is neither 0 nor 1", damage_flip, 0, DUMP_MAP_A + 5,
     2},
    {.name = "pk_dump_commitments_17", DUMP, FORMAT, "has 17 commitments, at most 16", damage_u32, 0, DUMP_COMMITMENTS,
     BE32(17)},
    {.name = "pk_dump_commitments_little", DUMP, FORMAT, "has 16777216 commitments", damage_u32, 0, DUMP_COMMITMENTS,
     1},
    {.name = "pk_dump_commitments_0", DUMP, FORMAT, "bytes after its end", damage_u32, 0, DUMP_COMMITMENTS, 0},
    /* dumps: the arrays */
    {.name = "pk_dump_cut_in_count", DUMP, FORMAT, "A at byte 805 takes 8 bytes", damage_cut, DUMP_COUNT_A + 7},
    {.name = "pk_dump_cut_in_point", DUMP, FORMAT, "A at byte 813: claims 38 elements", damage_cut, DUMP_A + 65},
    {.name = "pk_dump_count_0", DUMP, FORMAT, "bytes left", damage_u64, 0, DUMP_COUNT_A, 0},
    {.name = "pk_dump_x_zero", DUMP, FORMAT, "A, point 0 at byte 813: it is not on the curve", damage_zero, 0, DUMP_A,
     32},
    {.name = "pk_dump_b2_imaginary", DUMP, FORMAT, "B in G2, point 36", damage_ones, 0, DUMP_B2 + 36 * 2 * G1 + 96,
     32},
    {.name = "pk_dump_b2_off_curve", DUMP, FORMAT, "B in G2, point 1", damage_flip, 0, DUMP_B2 + 2 * G1, 1},
    {.name = "pk_dump_tail", DUMP, FORMAT, "1 bytes after its end", damage_append, 1},
    /* proving keys of mixed families */
    {.name = "pk_bls_domain", RAW, FORMAT, "alpha in G1 at byte 169", graft_domain, 1},
    {.name = "pk_bn_domain", BLS_RAW, FORMAT, "alpha in G1 at byte 169", graft_domain, 0},
    {.name = "pk_bin_bls_domain", BIN, FORMAT, "alpha in G1 at byte 169", graft_domain, 1},
    {.name = "pk_bls_inverse_alone", RAW, FORMAT, "domain", damage_copy, 0, N_INVERSE, SHIFT},
    /* proving keys: compressed points, which are read many at a time; the first bad one is named */
    {.name = "pk_bin_no_x_later", BIN, FORMAT, "A, point 17 at byte 813: no point of the curve has its x", damage_flip,
     0, BIN_A + 17 * 32 + 31, 1},
    {.name = "pk_bin_no_x_last", BIN, FORMAT, "Z, point 62", damage_flip, 0, BIN_Z + 62 * 32 + 31, 1},
    {.name = "pk_bin_two_bad", BIN, FORMAT, "A, point 0 at byte 269: no point of the curve has its x", two_points,
     BIN_A + 31, BIN_A + 32, 2},
    {.name = "pk_bin_b2_no_x", BIN, FORMAT, "B in G2, point 0", damage_flip, 0, BIN_B2 + 63, 1},
    {.name = "pk_bin_b2_large", BIN, FORMAT, "B in G2, point 9", damage_ones, 0, BIN_B2 + 9 * 64 + 32, 32},
    {.name = "pk_bin_raw_infinity", BIN, FORMAT, "Z, point 3", damage_zero, 0, BIN_Z + 3 * 32, 32},
    {.name = "pk_bls_all_flags", BLS_BIN, FORMAT, "marks no form", damage_flip, 0, BLS_BIN_A, 0x60},
    {.name = "pk_bls_sign_alone", BLS_RAW, FORMAT, "marks no form", damage_flip, 0, BLS_RAW_A, 0x20},
    {.name = "pk_z_many", RAW, FORMAT, "Z at byte", damage_u32, 0, COUNT_Z, BE32(0x04000000)},
    {.name = "pk_basis_0", RAW, FORMAT, "basis", damage_u32, 0, BASIS, 0},
    /* verifying keys */
    {.name = "vk_second_form", VK_BIN, FORMAT, "beta in G1 at byte 32: it is of another form", damage_zero, 0, 32, 1},
    {.name = "vk_bin_infinity_marked", VK_BIN, FORMAT, "marked as infinity, and has coordinates", damage_flip, 0,
     VK_BIN_GAMMA2, 0x80},
    {.name = "vk_k_2_26", VK, FORMAT, "claims 67108864 elements", damage_u32, 0, VK_COUNT_K, BE32(1u << 26)},
    {.name = "vk_list_2_21", VK, FORMAT, "claims 2097152 elements", damage_u32, 0, VK_LISTS + 4, BE32(1u << 21)},
    {.name = "vk_cut_in_lists", VK, FORMAT, "cut short", damage_cut, VK_LISTS + 10},
    {.name = "vk_keys_ones", VK, FORMAT, "4294967295 commitment keys", damage_u32, 0, VK_KEYS, 0xffffffff},
    /* proofs */
    {.name = "proof_count_17", PROOF, FORMAT, "claims 17 commitments", damage_u32, 0, PROOF_N, BE32(17)},
    {.name = "proof_count_2", PROOF, FORMAT, "the proof of knowledge at byte 388", damage_u32, 0, PROOF_N, BE32(2)},
    {.name = "proof_bs_real", PROOF, FORMAT, "Bs at byte 64: a coordinate is not below", damage_ones, 0, G1 + 32, 32},
    {.name = "proof_bin_bs_form", "bn254/range/proof.bin", FORMAT, "Bs at byte 32: it is of another form",
     damage_zero, 0, 32, 1},
    {.name = "proof_empty_points", PROOF, FORMAT, "cut short", damage_cut, PROOF_N},
    /* solutions and witnesses */
    {.name = "mont_count_wraps", MONT, FORMAT, "W at byte 8: claims 576460752303423488", damage_u64, 0, 0, 1ull << 59},
    {.name = "mont_cut_in_count", MONT, FORMAT, "W", damage_cut, 7},
    {.name = "mont_a_longer", MONT, FORMAT, "A, B and C have 2, 1 and 1 values", lengths, 1, 2, 0x101},
    {.name = "mont_c_shorter", MONT, FORMAT, "A, B and C have 2, 2 and 1 values", lengths, 1, 2, 0x201},
    {.name = "mont_a_large", MONT, FORMAT, "A, value 0", damage_ones, 0, A_OF_MONT + 8, 32},
    {.name = "solution_tail", SOLUTION, FORMAT, "1 bytes after its end", damage_append, 1},
    {.name = "public_wraps_twice", PUBLIC, FORMAT, "counts 4294967295 public", damage_u64, 0, 0, ~0ull},
    {.name = "public_counts_alone", PUBLIC, FORMAT, "claims 1 elements", damage_cut, 12},
};
/* clang-format on */
const size_t hostile_gnark_count = sizeof hostile_gnark_cases / sizeof hostile_gnark_cases[0];

int hostile_gnark_bytes(const hostile_gnark_case *c, const char *data_folder, hostile_buffer *buffer) {
  char path[4096];
  snprintf(path, sizeof path, "%s/gnark/%s", data_folder, c->file);
  if (!hostile_slurp(path, buffer)) return 0;
  c->damage(buffer, c->x, c->y, c->z);
  return 1;
}
