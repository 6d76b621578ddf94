/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "fuzz.h"

#include "formats/wtns.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  support_file *file;
  g16_wtns wtns;
  rp_error error = {0};
  if (!fuzz_is_ok(support_file_wrap("wtns", data, size, &file, &error), &error)) return 0;
  if (fuzz_is_ok(g16_wtns_open(file, &wtns, &error), &error)) {
    FUZZ_NEED(wtns.n >= 1 && wtns.n <= size / 32);
    uint8_t *values = malloc((size_t)wtns.n * 32);
    FUZZ_NEED(values);
    if (fuzz_is_ok(g16_wtns_read(&wtns, 0, wtns.n, NULL, values, &error), &error)) FUZZ_NEED(values[0] == 1);
    free(values);
  }
  support_file_close(file);
  return 0;
}
