/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Arithmetic on words with carries, for which GLSL has no flag: over 64-bit integers, or over 32-bit ones alone. The
 * macros expand to a few instructions; algorithms that use them are the same for both.
 */
#ifndef REPRISE_VULKAN_LIMBS_GLSL
#define REPRISE_VULKAN_LIMBS_GLSL

#if RP_INT64
#define wide uint64_t
#define WIDE_ZERO 0ul
#define LOW(w) uint(w)
#define HIGH(w) uint((w) >> 32)
/* r = a + b + c, or a - b - c; c becomes the carry or borrow. */
#define ADD_CARRY(r, a, b, c)                    \
  {                                              \
    const uint64_t s_ = uint64_t(a) + (b) + (c); \
    r = uint(s_);                                \
    c = uint(s_ >> 32);                          \
  }
#define SUB_BORROW(r, a, b, c)                   \
  {                                              \
    const uint64_t s_ = uint64_t(a) - (b) - (c); \
    r = uint(s_);                                \
    c = uint(s_ >> 63);                          \
  }
/* w += a b, which the caller keeps from overflowing; and r + 2^32 c = a b + x + c, which cannot overflow. */
#define ADD_PRODUCT(w, a, b) w += uint64_t(a) * (b);
#define PRODUCT_CARRY(r, a, b, x, c)                             \
  {                                                              \
    const uint64_t s_ = uint64_t(a) * (b) + (uint64_t(x) + (c)); \
    r = uint(s_);                                                \
    c = uint(s_ >> 32);                                          \
  }
#else
#define wide uvec2
#define WIDE_ZERO uvec2(0)
#define LOW(w) ((w).x)
#define HIGH(w) ((w).y)
#define ADD_CARRY(r, a, b, c)                          \
  {                                                    \
    const uint x_ = (a), s_ = x_ + (b), t_ = s_ + (c); \
    c = uint(s_ < x_) + uint(t_ < s_);                 \
    r = t_;                                            \
  }
#define SUB_BORROW(r, a, b, c)                         \
  {                                                    \
    const uint x_ = (a), s_ = x_ - (b), t_ = s_ - (c); \
    c = uint(x_ < s_) + uint(s_ < t_);                 \
    r = t_;                                            \
  }
#define ADD_PRODUCT(w, a, b)        \
  {                                 \
    uint h_, l_;                    \
    umulExtended((a), (b), h_, l_); \
    w.x += l_;                      \
    w.y += h_ + uint(w.x < l_);     \
  }
#define PRODUCT_CARRY(r, a, b, x, c)         \
  {                                          \
    uint h_, l_;                             \
    umulExtended((a), (b), h_, l_);          \
    const uint s_ = l_ + (x), t_ = s_ + (c); \
    c = h_ + uint(s_ < l_) + uint(t_ < s_);  \
    r = t_;                                  \
  }
#endif

#endif
