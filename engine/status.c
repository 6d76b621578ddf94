/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include <reprise/reprise.h>

#define JOIN_(major, minor, patch) #major "." #minor "." #patch
#define JOIN(major, minor, patch) JOIN_(major, minor, patch)
const char *rp_version(void) { return JOIN(RP_VERSION_MAJOR, RP_VERSION_MINOR, RP_VERSION_PATCH); }
#undef JOIN
#undef JOIN_

const char *rp_status_name(rp_status status) {
  switch (status) {
#define NAME(name, value, text) \
  case name: return #name;
    RP_STATUS_LIST(NAME)
#undef NAME
  }
  return "RP_ERR_UNKNOWN";
}

const char *rp_status_text(rp_status status) {
  switch (status) {
#define TEXT(name, value, text) \
  case name: return text;
    RP_STATUS_LIST(TEXT)
#undef TEXT
  }
  return "unknown status";
}
