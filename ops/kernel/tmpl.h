/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Names in template sources (*_tmpl.c), which are compiled once for each field or curve with `-I gen/<id>` first in the
 * include path (reprise_template in scripts/cmake/RepriseTarget.cmake):
 *
 *   RP_ID         the field's or curve's id, for example bn254_fr
 *   RP_ID_SUFFIX  empty, or the suffix of a variant compiled for other instructions, for example _adx
 *   RP_FN(name) the external name of the instance: RP_FN(ntt_pass) is rp_ntt_pass_bn254_fr, or rp_ntt_pass_bn254_fr_adx
 */
#ifndef REPRISE_OPS_TMPL_H
#define REPRISE_OPS_TMPL_H

#ifndef RP_ID
#error "a template source is compiled through reprise_template()"
#endif
#ifndef RP_ID_SUFFIX
#define RP_ID_SUFFIX
#endif

#define RP_FN_PASTE(name, id, suffix) rp_##name##_##id##suffix
#define RP_FN_EXPAND(name, id, suffix) RP_FN_PASTE(name, id, suffix)
#define RP_FN(name) RP_FN_EXPAND(name, RP_ID, RP_ID_SUFFIX)

#endif
