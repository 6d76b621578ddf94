/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The instances of edw8_tmpl.c.
 */
#ifndef REPRISE_TESTS_EDW8_TEST_H
#define REPRISE_TESTS_EDW8_TEST_H

void rp_test_edw8_banderwagon(unsigned rounds);
void rp_test_edw8_banderwagon_ifma(unsigned rounds);

#endif
