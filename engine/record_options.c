/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Options of recordings, which plans have too.
 */
#include "recording.h"

#include <limits.h>

rp_status rp_record_options_read(rp_record_options *o, const rp_record_options *options, const char *function,
                                 rp_error *err) {
  const uint32_t known = RP_RECORD_PROFILE | RP_RECORD_RANDOM_ORDER | RP_RECORD_CHECK_HAZARDS | RP_RECORD_KEEP_INPUTS |
                         RP_RECORD_CHECK_INPUTS | RP_RECORD_ALL_BRANCHES;
  if (!rp_options_read(o, sizeof *o, options))
    return rp_fail(err, RP_ERR_ARGUMENT, "%s: options.struct_size is not set", function);
  if (o->flags & ~known) return rp_fail(err, RP_ERR_ARGUMENT, "%s: flags 0x%x are not known", function, o->flags);
  if (!o->max_in_flight) o->max_in_flight = 1;
  if (o->max_in_flight > USHRT_MAX)
    return rp_fail(err, RP_ERR_ARGUMENT, "%s: %u runs in flight are too many", function, o->max_in_flight);
  if (!o->max_memory_level) o->max_memory_level = RP_MEMORY_LEVELS - 1;
  if (o->max_memory_level >= RP_MEMORY_LEVELS || o->min_memory_level > o->max_memory_level)
    return rp_fail(err, RP_ERR_ARGUMENT, "%s: memory levels %u to %u are not a range within 0 to %u", function,
                   o->min_memory_level, o->max_memory_level, RP_MEMORY_LEVELS - 1);
  return RP_OK;
}
