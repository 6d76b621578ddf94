/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * A kernel that destroys its context, on the machine's GPU: the run gets a status, the CPU still works, the device
 * stays lost for the process, and a new process can use it again. This is a program of its own because memory checkers
 * report the kernel.
 */
#include "bench.h"

#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

static void a_crash_loses_the_device_alone(void **state) {
  (void)state;
  bench b;
  rp_error err = {0};
  rp_graph *graph;
  rp_recording *recording;
  rp_run *run;
  rp_device *cpu;
  uint64_t in[N];
  work_fill(in, 1);
  bench_open(&b, 0, 0);
  EXPECT(RP_OK, rp_graph_create(b.context, "crash", &graph, &err), &err);
  rp_value a = rp_graph_input(graph, "a", &toy_u64, N, 0);
  rp_graph_output(graph, "b", toy_crash(graph, a, 1), 0);
  EXPECT(RP_OK, rp_record(b.device, graph, NULL, &recording, &err), &err);
  EXPECT(RP_OK, rp_run_begin(recording, 0, &run, &err), &err);
  EXPECT(RP_OK, rp_run_set_input(run, a, in, BYTES), &err);
  EXPECT(RP_OK, rp_run_submit(run), &err);
  EXPECT(RP_ERR_DEVICE_LOST, rp_run_wait(run, UINT64_MAX), &err);
  print_message("%s\n", rp_run_error(run)->reason);
  assert_int_equal(rp_device_is_lost(b.device), 1);
  rp_run_end(run);
  assert_int_equal(rp_run_begin(recording, 0, &run, &err), RP_ERR_DEVICE_LOST);
  rp_recording_destroy(recording);
  rp_graph_destroy(graph);
  const rp_device_options host = {.struct_size = sizeof host, .kind = RP_DEVICE_CPU, .cpu_threads = 1};
  EXPECT(RP_OK, rp_device_open(b.context, &host, &cpu, &err), &err);
  rp_device_close(cpu);
  rp_device_close(b.device);

  const rp_device_options same = {.struct_size = sizeof same, .kind = RP_DEVICE_CUDA};
  EXPECT(RP_ERR_DEVICE_LOST, rp_device_open(b.context, &same, &b.device, &err), &err);
  print_message("%s\n", err.reason);
  assert_non_null(strstr(err.reason, "restart the process"));
  b.device = NULL;
  bench_close(&b);

  int status = -1;
  pid_t child = fork();
  if (child == 0) {
    execl("/proc/self/exe", "test_cuda_lost", "work", (char *)NULL);
    _exit(127);
  }
  assert_int_equal(waitpid(child, &status, 0), child);
  assert_int_equal(status, 0);
}

static int work_alone(void) {
  bench b;
  work w;
  bench_open(&b, 0, 0);
  work_make(&b, &w, 3, 1);
  work_once(&w, 1);
  work_drop(&w);
  bench_close(&b);
  return 0;
}

int main(int argc, char **argv) {
  if (argc == 2 && strcmp(argv[1], "work") == 0) return work_alone();
  if (bench_absent()) return 77;
  const struct CMUnitTest tests[] = {cmocka_unit_test(a_crash_loses_the_device_alone)};
  return cmocka_run_group_tests_name("cuda lost", tests, NULL, NULL);
}
