/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The steps of a submission, of one run (submit.c) or of several (runs.c). Checks leave a run that they object to as it
 * is, with the reason in its error.
 */
#ifndef REPRISE_ENGINE_SUBMIT_H
#define REPRISE_ENGINE_SUBMIT_H

#include "recording.h"

/* Clears the run's error. RP_ERR_STATE: it was submitted already. RP_ERR_DEVICE_LOST. */
rp_status rp_submit_check_run(rp_run *run);
/* That the run's device can do what they ask for. */
rp_status rp_submit_check_options(rp_run *run, const rp_submit_options *options);
/* That all inputs are given, and all bindings allowed. */
rp_status rp_submit_check_values(rp_run *run);
/* Enters an earlier run, whose slot is kept until this one is finished. If `fails_with`, this one fails if that does.
 * Called with the device's gate held, because rp_line_follower reads the lists of all runs. */
void rp_submit_follow(rp_run *run, rp_run *earlier, bool fails_with);
/* Enters those of `after` that are not finished, with their programs. */
void rp_submit_follow_all(rp_run *run, const rp_submit_options *options, rp_program **programs);
/* The backend has started the run in a call that began at this time. */
void rp_submit_started(rp_run *run, uint64_t begin_ns);
/* RP_ERR_CANCELLED, and the run is over, if it has been cancelled before its submission; else RP_OK. */
rp_status rp_submit_check_cancelled(rp_run *run);
/* The backend has refused the run, with the reason in the run's error: it is over. */
void rp_submit_refused(rp_run *run, rp_status status);

#endif
