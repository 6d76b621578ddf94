/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "cut.h"

#include "formats/values.h"
#include "rates.h"

/* In units of a transform's time: what a sparse product takes, and the products of vectors, which are short. */
static const double spmv_transforms = 0.5;
/* The part of a product's time for each point that sorting its scalars takes, which products with the witness share. */
static const double sorting = 0.18;
/* The fixed time of a product in G2, in units of that of one in G1. */
static const double g2_fixed = 2.5;
/* Another way, or fewer devices, must be that much faster than the usual one, since rates are measured. */
static const double margin = 0.98;
/* Of a device that must not be left out. */
static const double least_part = 1.0 / 64;
enum { SHARES = 1 << 20 };

/* ---- What a proof consists of ------------------------------------------------------------------------------------ */

g16_work g16_work_of(const rp_groth16_key *key, rp_device_kind kind) {
  const double n = (double)key->info.domain, of_g2 = kind == RP_DEVICE_CPU ? 2.1 : 2.9; /* as costs of msm_costs.c */
  const double of_curve = key->family->g1 == RP_CURVE_BN254_G1 ? 1 : 2;
  const double a = (double)key->supported[G16_SUP_A], b = (double)key->supported[G16_SUP_B],
               c = (double)key->supported[G16_SUP_C];
  return (g16_work){.butterflies = n / 2 * key->log_domain,
                    .bytes = n * G16_VALUE_BYTES,
                    .witness = of_curve * ((1 - sorting) * (a + b + c) + (of_g2 - sorting) * b +
                                           sorting * (double)g16_key_scalars(key)),
                    .h = of_curve * n,
                    .products_fixed = of_curve * (3 + g2_fixed),
                    .h_fixed = of_curve,
                    .chains = !key->info.gnark};
}

/* ---- One way ----------------------------------------------------------------------------------------------------- */

typedef struct prediction {
  const g16_rates *r;
  const g16_work *w;
  const g16_cut *cut;
  double load[RP_GROUP_MOST]; /* us that the device computes beside what is cut by shares */
  double h_us;                /* when h is on the home device */
} prediction;

static double transform_us(const prediction *p, uint32_t device) {
  return p->w->butterflies / p->r->butterflies[device];
}

/* The quotient: sparse products at home, chains where the way has them, with the way there and back. Keys of gnark have
 * no sparse products, and as many transforms. */
static void place_quotient(prediction *p) {
  const uint32_t home = p->r->home;
  const double sparse = p->w->chains ? 2 * spmv_transforms * transform_us(p, home) : 0;
  double longest = 0;
  p->load[home] += sparse;
  for (uint32_t c = 0; c < G16_CHAINS; c++) p->load[p->cut->chain[c]] += 2 * transform_us(p, p->cut->chain[c]);
  for (uint32_t d = 0; d < p->r->n; d++) {
    const double copies = d == home ? 0 : 2 * p->w->bytes / p->r->bytes[d];
    const double chains = d == home ? p->load[home] - sparse : p->load[d];
    if (chains > 0 && copies + chains > longest) longest = copies + chains;
  }
  p->h_us = sparse + longest;
}

static double fixed_us(const prediction *p, uint32_t device) {
  return (p->w->products_fixed + (p->cut->h_whole ? 0 : p->w->h_fixed)) * p->r->product_us[device];
}

/* The time at which all devices are done if the points are cut so that they are done together. Those that would have no
 * time for any have none, as far as they may be left out. */
static double level(const prediction *p, bool has[RP_GROUP_MOST]) {
  const double points = p->w->witness + (p->cut->h_whole ? 0 : p->w->h);
  double us = 0;
  for (bool again = 1; again;) {
    double work = points, speed = 0;
    again = 0;
    for (uint32_t d = 0; d < p->r->n; d++) {
      if (!has[d]) continue;
      work += (p->load[d] + fixed_us(p, d)) * p->r->points[d];
      speed += p->r->points[d];
    }
    us = work / speed;
    for (uint32_t d = 0; d < p->r->n && !again; d++)
      if (has[d] && (p->r->may_leave_out || d == p->r->home) && p->load[d] + fixed_us(p, d) >= us)
        has[d] = 0, again = 1;
  }
  return us;
}

/* The path through h: the product of H can begin when h is there. */
static double path_us(const prediction *p, const bool has[RP_GROUP_MOST]) {
  const uint32_t home = p->r->home;
  const double h_fixed = p->w->h_fixed;
  double all = 0, longest = 0;
  if (p->cut->h_whole) return p->h_us + h_fixed * p->r->product_us[home] + p->w->h / p->r->points[home];
  for (uint32_t d = 0; d < p->r->n; d++) all += p->cut->shares.of[d];
  for (uint32_t d = 0; d < p->r->n; d++) {
    if (!has[d]) continue;
    const double part = p->cut->shares.of[d] / all;
    const double copy = d == home ? 0 : part * p->w->bytes / p->r->bytes[d];
    const double us = p->h_us + copy + h_fixed * p->r->product_us[d] + part * p->w->h / p->r->points[d];
    if (us > longest) longest = us;
  }
  return longest;
}

double g16_cut_predict(const g16_rates *rates, const g16_work *work, g16_cut *cut, double busy_us[RP_GROUP_MOST]) {
  prediction p = {.r = rates, .w = work, .cut = cut};
  bool has[RP_GROUP_MOST] = {0};
  const double points = work->witness + (cut->h_whole ? 0 : work->h);
  place_quotient(&p);
  if (cut->h_whole)
    p.load[rates->home] += work->h_fixed * rates->product_us[rates->home] + work->h / rates->points[rates->home];
  for (uint32_t d = 0; d < rates->n; d++) has[d] = cut->shares.of[d] != 0;
  double us = level(&p, has);
  for (uint32_t d = 0; d < rates->n; d++) {
    const double part = has[d] ? (us - p.load[d] - fixed_us(&p, d)) * rates->points[d] / points : 0;
    cut->shares.of[d] = !has[d] ? 0 : part > least_part ? (uint32_t)(part * SHARES) : (uint32_t)(least_part * SHARES);
    if (busy_us) busy_us[d] = has[d] ? us : p.load[d];
  }
  for (uint32_t d = 0; d < rates->n; d++)
    if (p.load[d] > us) us = p.load[d];
  const double path = path_us(&p, has);
  return us > path ? us : path;
}

/* ---- All ways ---------------------------------------------------------------------------------------------------- */

/* The device beside the home and `but` that does a chain soonest, the home if there is none. */
static uint32_t next_for_chains(const g16_rates *r, const g16_work *w, uint32_t but) {
  uint32_t best = r->home;
  double least = 0;
  for (uint32_t d = 0; d < r->n; d++) {
    const double us = 2 * (w->butterflies / r->butterflies[d] + w->bytes / r->bytes[d]);
    if (d == r->home || d == but || r->points[d] <= 0 || (best != r->home && us >= least)) continue;
    best = d;
    least = us;
  }
  return best;
}

typedef struct search {
  const g16_rates *r;
  const g16_work *w;
  g16_cut best;
  double us;
} search;

/* `home_only`: only the home device has points. */
static void try_way(search *s, const uint32_t chain[G16_CHAINS], bool h_whole, bool home_only) {
  const bool is_first = s->us == 0;
  g16_cut cut = {.shares = {.n = s->r->n, .home = s->r->home}, .h_whole = h_whole};
  for (uint32_t c = 0; c < G16_CHAINS; c++) cut.chain[c] = chain[c];
  for (uint32_t d = 0; d < s->r->n; d++) cut.shares.of[d] = s->r->points[d] > 0 && (!home_only || d == s->r->home);
  const double us = g16_cut_predict(s->r, s->w, &cut, NULL);
  if (!is_first && us >= s->us * margin) return;
  s->best = cut;
  s->us = us;
}

static search try_ways(const g16_rates *rates, const g16_work *work) {
  const uint32_t home = rates->home;
  const uint32_t second = next_for_chains(rates, work, home), third = next_for_chains(rates, work, second);
  const uint32_t ways[][G16_CHAINS] = {{home, home, home}, {home, home, second}, {home, third, second}};
  const int n_ways = !work->chains || second == home ? 1 : third == home ? 2 : 3;
  search s = {.r = rates, .w = work};
  for (int i = 0; i < n_ways; i++) {
    try_way(&s, ways[i], 0, 0);
    try_way(&s, ways[i], 1, 0);
  }
  return s;
}

static search try_alone(const g16_rates *rates, const g16_work *work) {
  const uint32_t chains[G16_CHAINS] = {rates->home, rates->home, rates->home};
  search s = {.r = rates, .w = work};
  try_way(&s, chains, 0, 1);
  return s;
}

/* Whether several devices are faster than one. In short products the fixed time is that of steps which leave most of a
 * device idle, so that all products have it at the same time: that of the longest counts. */
static bool pays(const g16_rates *rates, const g16_work *work) {
  g16_work beside = *work;
  beside.products_fixed *= g2_fixed / (3 + g2_fixed);
  beside.h_fixed = 0;
  return try_ways(rates, &beside).us < try_alone(rates, &beside).us * margin;
}

g16_cut g16_cut_choose(const g16_rates *rates, const g16_work *work) {
  const bool alone = rates->may_leave_out && !pays(rates, work);
  return alone ? try_alone(rates, work).best : try_ways(rates, work).best;
}

/* ---- Of a device ------------------------------------------------------------------------------------------------- */

/* In thousandths, of which the others have the rest by their speeds. */
static void fix_first(graphs_shares *shares, uint32_t permille) {
  const uint32_t parts = 1000; /* of a thousandth */
  uint64_t rest = 0;
  for (uint32_t d = 1; d < shares->n; d++) rest += shares->of[d];
  for (uint32_t d = 1; d < shares->n; d++)
    shares->of[d] = (uint32_t)((uint64_t)(1000 - permille) * parts * shares->of[d] / rest);
  shares->of[0] = permille * parts;
  shares->home = 0;
}

/* The speeds that the devices have, in the proportions that were set or measured, scaled to what the home reaches, and
 * to what all reach together if that is less. */
static g16_rates rates_of(rp_device *group, const graphs_shares *shares, const rp_group_rates *known) {
  const uint32_t home = shares->home, home_speed = rp_device_speed(rp_group_device(group, home));
  g16_rates r = {.n = shares->n, .home = home, .may_leave_out = known->together != 0};
  double all = 0;
  for (uint32_t d = 0; d < r.n; d++) {
    const double speed = home_speed ? (double)rp_device_speed(rp_group_device(group, d)) / home_speed : 1;
    r.points[d] = shares->of[d] ? speed * known->products[home] / 1000 : 0;
    r.product_us[d] = known->product_us[d];
    r.butterflies[d] = known->transforms[d];
    r.bytes[d] = known->links[d];
    all += speed * (home_speed ? home_speed : known->products[home]);
  }
  for (uint32_t d = 0; d < r.n && known->together && known->together < all; d++) r.points[d] *= known->together / all;
  return r;
}

rp_status g16_cut_for(rp_device *device, const rp_groth16_key *key, uint32_t percent, g16_cut *cut, rp_error *err) {
  rp_group_rates known;
  rp_device_info info = {.struct_size = sizeof info};
  *cut = (g16_cut){.shares = {0}};
  rp_status status =
      percent ? graphs_shares_of_all(device, &cut->shares, err) : graphs_shares_of(device, &cut->shares, err);
  if (status != RP_OK || cut->shares.n == 1) return status;
  rp_device_get_info(rp_group_device(device, percent ? 0 : cut->shares.home), &info);
  cut->upload_apart = info.kind == RP_DEVICE_CUDA && !key->info.gnark;
  if (percent) {
    fix_first(&cut->shares, percent * 10);
    return RP_OK;
  }
  uint32_t n_used = 0;
  for (uint32_t d = 0; d < cut->shares.n; d++) n_used += cut->shares.of[d] != 0;
  for (uint32_t c = 0; c < G16_CHAINS; c++) cut->chain[c] = cut->shares.home;
  if (n_used == 1) return RP_OK;
  status = graphs_know_rates(device, cut->shares.home, &known, err);
  if (status != RP_OK) return status;
  const g16_rates rates = rates_of(device, &cut->shares, &known);
  const g16_work work = g16_work_of(key, info.kind);
  const bool upload_apart = cut->upload_apart;
  *cut = g16_cut_choose(&rates, &work);
  cut->upload_apart = upload_apart;
  return RP_OK;
}
