/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * usage: test_vulkan_pipelines [--stack MIB] [--group THREADS] FILE.spv ...
 * Compiles each module in a process of its own, so that a module on which a driver's compiler crashes is named, and the
 * others are still compiled. --stack 0: in the process's first thread, with the stack that the system gives it. Prints
 * one line per module; fails if any module failed.
 */
#include "device.h"

#include "backends/vulkan/state.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MOST_WORDS = 4 << 20 };

static int compile(rp_kernel *kernel, size_t stack_bytes) {
  const rp_kernel *const kernels[] = {kernel};
  const rp_device_options options = {.struct_size = sizeof options, .kind = RP_DEVICE_VULKAN, .cache_dir = ""};
  rp_context *context;
  rp_device *device;
  rp_error err = {0};
  rp_status status = rp_context_create(NULL, &context, &err);
  if (status == RP_OK) status = rp_device_open(context, &options, &device, &err);
  if (status == RP_OK) {
    rp_vk *vk = device->state;
    const uint64_t begin = rp_now_ns();
    if (stack_bytes) {
      vk->compile_stack_bytes = stack_bytes;
      status = rp_vk_compile(vk, kernels, 1, &err);
    } else {
      VkPipeline pipeline;
      status = rp_vk_pipeline_create(vk, kernel, &pipeline, &err);
      if (status == RP_OK) status = rp_vk_pipeline_keep(vk, kernel, pipeline, &err);
    }
    if (status == RP_OK) printf("%-60s %8.1f ms\n", kernel->name, (double)(rp_now_ns() - begin) / 1e6);
    rp_device_close(device);
  }
  rp_context_destroy(context);
  if (status != RP_OK) printf("%-60s %s\n", kernel->name, err.reason);
  return status != RP_OK;
}

/* Returns 1 if it failed. */
static int in_a_child(const char *path, uint32_t group, size_t stack_bytes) {
  static uint32_t words[MOST_WORDS];
  const char *slash = strrchr(path, '/');
  FILE *f = fopen(path, "rb");
  const size_t n = f ? fread(words, sizeof *words, MOST_WORDS, f) : 0;
  if (f) fclose(f);
  if (n == 0 || n == MOST_WORDS) {
    printf("%-60s cannot be read\n", path);
    return 1;
  }
  rp_kernel kernel = {.struct_size = sizeof(rp_kernel),
                      .name = slash ? slash + 1 : path,
                      .vulkan = {.spirv = words, .spirv_bytes = n * sizeof *words, .group = group}};
  fflush(stdout);
  const pid_t child = fork();
  if (child == 0) {
    const int failed = compile(&kernel, stack_bytes);
    fflush(stdout);
    _exit(failed);
  }
  int status = 0;
  if (child < 0 || waitpid(child, &status, 0) != child) return 1;
  if (WIFSIGNALED(status)) printf("%-60s signal %d (%s)\n", kernel.name, WTERMSIG(status), strsignal(WTERMSIG(status)));
  return status != 0;
}

int main(int argc, char **argv) {
  size_t stack_bytes = RP_VK_COMPILE_STACK_BYTES;
  uint32_t group = 64, bad = 0;
  int at = 1;
  for (; at + 1 < argc && !strncmp(argv[at], "--", 2); at += 2) {
    const unsigned long value = strtoul(argv[at + 1], NULL, 10);
    if (!strcmp(argv[at], "--stack")) stack_bytes = (size_t)value << 20;
    if (!strcmp(argv[at], "--group")) group = (uint32_t)value;
  }
  const int n = argc - at;
  for (; at < argc; at++) bad += (uint32_t)in_a_child(argv[at], group, stack_bytes);
  printf("%d modules, %u failed\n", n, bad);
  return bad || n <= 0;
}
