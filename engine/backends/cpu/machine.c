/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * How many processors and how much memory this process may use: the affinity mask, and the limits of its control groups
 * (Linux cgroup-v2.rst; cgroup-v1/memory.rst, scheduler/sched-bwc.rst).
 */
#include "cpu.h"

#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#if defined(__x86_64__)
#include <cpuid.h>
#endif

static uint32_t affinity_count(void) {
  for (int possible = CPU_SETSIZE; possible <= 1 << 20; possible *= 2) {
    cpu_set_t *set = CPU_ALLOC(possible);
    if (!set) break;
    size_t bytes = CPU_ALLOC_SIZE(possible);
    int n = sched_getaffinity(0, bytes, set) == 0 ? CPU_COUNT_S(bytes, set) : 0;
    CPU_FREE(set);
    if (n > 0) return (uint32_t)n;
  }
  long online = sysconf(_SC_NPROCESSORS_ONLN);
  return online > 0 ? (uint32_t)online : 1;
}

/* Reads the first line of the file root + group + "/" + file. 0 if there is none. */
static bool read_line(const char *root, const char *group, const char *file, char *line, int bytes) {
  char path[1024];
  int n = snprintf(path, sizeof path, "%s%s/%s", root, group, file);
  if (n < 0 || n >= (int)sizeof path) return 0;
  FILE *f = fopen(path, "re");
  if (!f) return 0;
  bool ok = fgets(line, bytes, f) != NULL;
  (void)fclose(f); /* it was only read */
  return ok;
}

/* Calls `each` for the group and all groups that contain it: any of them may set a limit. Overwrites `group`. */
static void each_ancestor(const char *root, char *group,
                          void (*each)(const char *root, const char *group, void *result), void *result) {
  size_t n = strlen(group);
  for (;;) {
    while (n && (group[n - 1] == '/' || group[n - 1] == '\n')) group[--n] = 0;
    each(root, group, result);
    if (!n) return;
    while (n && group[n - 1] != '/') group[--n] = 0;
  }
}

/* A line of /proc/self/cgroup is "number:controllers:group", with no controllers for version 2. */
static void each_group(const char *controller, void (*each)(const char *root, const char *group, void *result),
                       void *result) {
  FILE *f = fopen("/proc/self/cgroup", "re");
  if (!f) return;
  char line[1024], root[128];
  while (fgets(line, sizeof line, f)) {
    char *list = strchr(line, ':'), *group = list ? strchr(list + 1, ':') : NULL;
    if (!group) continue;
    *list++ = 0;
    *group++ = 0;
    if (!*list) {
      each_ancestor("/sys/fs/cgroup", group, each, result);
      continue;
    }
    bool listed = 0;
    for (char *next, *name = list; name && !listed; name = next) {
      if ((next = strchr(name, ','))) *next++ = 0;
      listed = strcmp(name, controller) == 0;
    }
    if (!listed) continue;
    const int n = snprintf(root, sizeof root, "/sys/fs/cgroup/%s", controller);
    if (n > 0 && n < (int)sizeof root) each_ancestor(root, group, each, result);
  }
  (void)fclose(f); /* it was only read */
}

static void lower_cpus(const char *root, const char *group, void *result) {
  uint32_t *cpus = result;
  char line[64];
  long long quota = -1, period = 0;
  if (read_line(root, group, "cpu.max", line, sizeof line)) {
    if (sscanf(line, "%lld %lld", &quota, &period) != 2) return; /* "max 100000" */
  } else if (read_line(root, group, "cpu.cfs_quota_us", line, sizeof line)) {
    quota = atoll(line);
    if (read_line(root, group, "cpu.cfs_period_us", line, sizeof line)) period = atoll(line);
  }
  if (quota <= 0 || period <= 0) return;
  long long whole = (quota + period - 1) / period;
  if (whole < *cpus) *cpus = (uint32_t)whole;
}

static void lower_memory(const char *root, const char *group, void *result) {
  uint64_t *bytes = result;
  char line[64];
  if (!read_line(root, group, "memory.max", line, sizeof line) &&
      !read_line(root, group, "memory.limit_in_bytes", line, sizeof line))
    return;
  char *end;
  unsigned long long limit = strtoull(line, &end, 10);
  if (end != line && limit > 0 && limit < *bytes) *bytes = limit;
}

uint32_t cpu_count(void) {
  uint32_t n = affinity_count();
  each_group("cpu", lower_cpus, &n);
  return n ? n : 1;
}

uint64_t cpu_memory_bytes(void) {
  long pages = sysconf(_SC_PHYS_PAGES), page = sysconf(_SC_PAGESIZE);
  uint64_t bytes = pages > 0 && page > 0 ? (uint64_t)pages * (uint64_t)page : (uint64_t)1 << 30;
  each_group("memory", lower_memory, &bytes);
  return bytes;
}

uint64_t cpu_free_bytes(void) {
  const uint64_t most = cpu_memory_bytes();
  unsigned long long kib = 0;
  char line[128];
  FILE *f = fopen("/proc/meminfo", "re");
  if (!f) return 0;
  while (!kib && fgets(line, sizeof line, f))
    if (sscanf(line, "MemAvailable: %llu kB", &kib) != 1) kib = 0;
  (void)fclose(f); /* it was only read */
  return kib > most / 1024 ? most : kib * 1024;
}

void cpu_model(char *name, size_t bytes) {
  char text[49] = "";
#if defined(__x86_64__)
  uint32_t r[12];
  bool known = 1;
  for (size_t i = 0; i < 3; i++)
    known &= __get_cpuid(0x80000002u + (unsigned)i, &r[4 * i], &r[4 * i + 1], &r[4 * i + 2], &r[4 * i + 3]);
  if (known) memcpy(text, r, sizeof r);
#endif
  char *start = text + strspn(text, " ");
  size_t n = strlen(start);
  while (n && start[n - 1] == ' ') start[--n] = 0;
  snprintf(name, bytes, "%s", n ? start : "CPU");
}
