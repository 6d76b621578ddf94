/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef REPRISE_HALO2_EXTENDED_H
#define REPRISE_HALO2_EXTENDED_H

#include <reprise/halo2.h>

/* Reads the caller's domain. Returns the field if the domain is valid and fits it; else sets the graph's error and
 * returns NULL. */
const rp_field_host *extended_read(rp_graph *g, rp_field field, const rp_extended_domain *given,
                                   rp_extended_domain *domain);
/* One period of rp_vanishing_inverse: a constant of 2^(extended_k - k) elements. */
rp_value extended_vanishing_period(rp_graph *g, rp_field field, const rp_extended_domain *domain);

#endif
