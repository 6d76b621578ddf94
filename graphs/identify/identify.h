/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * What a file is, see files.h.
 */
#ifndef REPRISE_IDENTIFY_H
#define REPRISE_IDENTIFY_H

#include "files/mapping.h"

#include <reprise/files.h>

/* Sets what rp_file_describe adds, for a file that has been identified. */
rp_status identify_header(const support_file *file, rp_file_info *info, rp_error *err);

#endif
