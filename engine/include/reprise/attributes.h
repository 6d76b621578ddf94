/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Reprise, the attributes of declarations in the public headers, all of which include this one.
 */
#ifndef REPRISE_ATTRIBUTES_H
#define REPRISE_ATTRIBUTES_H

#if defined(__GNUC__)
#define RP_API __attribute__((visibility("default")))
#define RP_CHECKED __attribute__((warn_unused_result)) /* ignoring a status is a warning */
#else
#define RP_API
#define RP_CHECKED
#endif
/* An attribute of the type rp_status itself. Defined as clang's warn_unused_result, it makes the compiler check every
 * function that returns rp_status, also internal ones and those of a program. The library's own builds with clang
 * define it. */
#if !defined(RP_CHECKED_TYPE)
#define RP_CHECKED_TYPE
#endif

#endif
