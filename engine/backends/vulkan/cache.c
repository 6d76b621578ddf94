/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Compiled pipelines on disk: one file per device, driver version and version of the driver's own cache. It is written
 * under another name and renamed, so that a reader never sees part of a file, and it has a checksum, since drivers
 * trust their cache data. Pipelines that another process has written since the file was read are merged. A bad file
 * never keeps the device from opening; the file can be deleted at any time.
 */
#include "state.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

typedef struct cache_head {
  char magic[8];
  uint64_t bytes, checksum; /* of the driver's data that follows */
} cache_head;

static const char MAGIC[8] = {'R', 'P', 'V', 'K', 'P', 'C', '0', '1'};
enum { MOST_BYTES = 256 << 20 }; /* a larger file is replaced by a new one */

/* FNV-1a over words of eight bytes, then over the remaining bytes. It detects damage, but does not protect against an
 * attacker. */
static uint64_t checksum_of(const unsigned char *data, uint64_t bytes) {
  uint64_t sum = UINT64_C(0xcbf29ce484222325), word;
  for (; bytes >= sizeof word; data += sizeof word, bytes -= sizeof word) {
    memcpy(&word, data, sizeof word);
    sum = (sum ^ word) * UINT64_C(0x100000001b3);
  }
  for (; bytes; data++, bytes--) sum = (sum ^ *data) * UINT64_C(0x100000001b3);
  return sum;
}

/* ---- Where ------------------------------------------------------------------------------------------------------- */

/* The folder: the caller's, or REPRISE_CACHE_DIR, or reprise in $XDG_CACHE_HOME or in ~/.cache. Returns false if there
 * is none, or if one of the first two is set to the empty string. */
static bool find_folder(const char *wish, char *folder, size_t bytes) {
  const char *base = wish ? wish : getenv("REPRISE_CACHE_DIR"), *below = "";
  if (!base) {
    base = getenv("XDG_CACHE_HOME");
    below = "/reprise";
    if (!base || !*base) base = getenv("HOME"), below = "/.cache/reprise";
  }
  if (!base || !*base) return 0;
  const int n = snprintf(folder, bytes, "%s%s", base, below);
  return n > 0 && (size_t)n < bytes;
}

static bool make_folder(char *folder) {
  for (char *at = folder + 1; *at; at++) {
    if (*at != '/') continue;
    *at = 0;
    const bool failed = mkdir(folder, 0700) && errno != EEXIST;
    *at = '/';
    if (failed) return 0;
  }
  return mkdir(folder, 0700) == 0 || errno == EEXIST;
}

/* Sets vk->cache_path; leaves it empty if pipelines are not kept. */
static void find_path(rp_vk *vk, const char *wish, const VkPhysicalDeviceProperties *p) {
  char folder[sizeof vk->cache_path];
  if (!find_folder(wish, folder, sizeof folder)) return;
  int n = snprintf(vk->cache_path, sizeof vk->cache_path, "%s/vulkan-%08x-%08x-%08x-", folder, p->vendorID, p->deviceID,
                   p->driverVersion);
  for (uint32_t i = 0; i < VK_UUID_SIZE && n > 0 && (size_t)n < sizeof vk->cache_path; i++)
    n += snprintf(vk->cache_path + n, sizeof vk->cache_path - (size_t)n, "%02x", p->pipelineCacheUUID[i]);
  if (n < 0 || (size_t)n >= sizeof vk->cache_path) vk->cache_path[0] = 0;
}

/* ---- Reading ----------------------------------------------------------------------------------------------------- */

static bool read_all(int file, void *data, size_t bytes) {
  for (size_t at = 0; at < bytes;) {
    const ssize_t n = read(file, (char *)data + at, bytes - at);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return 0;
    at += (size_t)n;
  }
  return 1;
}

/* Whether the driver's own header names exactly this device: some drivers check only a part of it. */
static bool is_for(const VkPhysicalDeviceProperties *p, const unsigned char *data, uint64_t bytes) {
  VkPipelineCacheHeaderVersionOne head;
  if (bytes < sizeof head) return 0;
  memcpy(&head, data, sizeof head);
  return head.headerVersion == VK_PIPELINE_CACHE_HEADER_VERSION_ONE && head.vendorID == p->vendorID &&
         head.deviceID == p->deviceID && !memcmp(head.pipelineCacheUUID, p->pipelineCacheUUID, VK_UUID_SIZE);
}

/* The driver's data, in memory of the context's allocator; NULL if there is none, or if it is what was last read or
 * written. */
static unsigned char *read_file(rp_vk *vk, const VkPhysicalDeviceProperties *p, cache_head *head) {
  const int file = vk->cache_path[0] ? open(vk->cache_path, O_RDONLY | O_CLOEXEC | O_NONBLOCK) : -1;
  if (file < 0) return NULL;
  struct stat info;
  unsigned char *data = NULL;
  bool good = fstat(file, &info) == 0 && S_ISREG(info.st_mode) && read_all(file, head, sizeof *head) &&
              !memcmp(head->magic, MAGIC, sizeof MAGIC) && head->bytes && head->bytes <= MOST_BYTES &&
              (uint64_t)info.st_size == sizeof *head + head->bytes;
  const bool known = good && head->bytes == vk->cached_bytes && head->checksum == vk->cached_checksum;
  if (good && !known) data = rp_host_alloc(vk->context, (size_t)head->bytes, 8);
  good = good && data && read_all(file, data, (size_t)head->bytes) &&
         checksum_of(data, head->bytes) == head->checksum && is_for(p, data, head->bytes);
  (void)close(file); /* it was only read */
  if (good || known) return data;
  rp_host_free(vk->context, data, (size_t)head->bytes);
  if (!vk->cache) /* a file that was refused at opening is refused later, too */
    rp_log(vk->context, RP_LOG_INFO, "Vulkan: %s is damaged, or of another driver, and is not used", vk->cache_path);
  return NULL;
}

static VkResult create(rp_vk *vk, const void *data, uint64_t bytes, VkPipelineCache *cache) {
  const VkPipelineCacheCreateInfo info = {
      .sType = VK_STRUCTURE_TYPE_PIPELINE_CACHE_CREATE_INFO, .initialDataSize = (size_t)bytes, .pInitialData = data};
  return vk->fn.vkCreatePipelineCache(vk->device, &info, NULL, cache);
}

rp_status rp_vk_cache_open(rp_vk *vk, const char *wish, const VkPhysicalDeviceProperties *p, rp_error *err) {
  find_path(vk, wish, p);
  cache_head head = {.bytes = 0};
  unsigned char *data = read_file(vk, p, &head);
  const VkResult result = data ? create(vk, data, head.bytes, &vk->cache) : VK_ERROR_UNKNOWN;
  if (result == VK_SUCCESS) {
    vk->cached_bytes = head.bytes, vk->cached_checksum = head.checksum;
    rp_log(vk->context, RP_LOG_DEBUG, "Vulkan: %llu bytes of pipelines from %s", (unsigned long long)head.bytes,
           vk->cache_path);
  }
  rp_host_free(vk->context, data, (size_t)head.bytes);
  return result == VK_SUCCESS ? RP_OK : rp_vk_check(vk, create(vk, NULL, 0, &vk->cache), "vkCreatePipelineCache", err);
}

/* Merges what another process has written since the file was last read or written. Two processes that write at the same
 * moment may miss each other's pipelines, which are then compiled again. */
static void take_along(rp_vk *vk) {
  VkPhysicalDeviceProperties2 p = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2};
  vk->fn.vkGetPhysicalDeviceProperties2(vk->adapter, &p);
  cache_head head = {.bytes = 0};
  VkPipelineCache other = VK_NULL_HANDLE;
  unsigned char *data = read_file(vk, &p.properties, &head);
  if (head.bytes != vk->cached_bytes || head.checksum != vk->cached_checksum) vk->cached_bytes = 0; /* to be replaced */
  if (data && create(vk, data, head.bytes, &other) == VK_SUCCESS) {
    if (vk->fn.vkMergePipelineCaches(vk->device, vk->cache, 1, &other) == VK_SUCCESS)
      rp_log(vk->context, RP_LOG_DEBUG, "Vulkan: %llu bytes of pipelines that others kept",
             (unsigned long long)head.bytes);
    vk->fn.vkDestroyPipelineCache(vk->device, other, NULL);
  }
  rp_host_free(vk->context, data, (size_t)head.bytes);
}

/* ---- Writing ----------------------------------------------------------------------------------------------------- */

static bool write_all(int file, const void *data, size_t bytes) {
  for (size_t at = 0; at < bytes;) {
    const ssize_t n = write(file, (const char *)data + at, bytes - at);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return 0;
    at += (size_t)n;
  }
  return 1;
}

/* Writes under a unique name, then renames: of several writers, the file of the last one stays, complete. */
static bool write_file(const char *path, const cache_head *head, const void *data) {
  char folder[RP_VK_PATH_BYTES], temporary[RP_VK_PATH_BYTES + 8];
  snprintf(folder, sizeof folder, "%s", path);
  *strrchr(folder, '/') = 0;
  snprintf(temporary, sizeof temporary, "%s.XXXXXX", path);
  if (*folder && !make_folder(folder)) return 0;
  const int file = mkstemp(temporary);
  if (file < 0) return 0;
  bool good = write_all(file, head, sizeof *head) && write_all(file, data, (size_t)head->bytes);
  good = close(file) == 0 && good && rename(temporary, path) == 0;
  if (!good) unlink(temporary);
  return good;
}

static void keep(rp_vk *vk, unsigned char *data, size_t bytes) {
  if (vk->fn.vkGetPipelineCacheData(vk->device, vk->cache, &bytes, data) != VK_SUCCESS || bytes > MOST_BYTES) return;
  cache_head head = {.bytes = bytes, .checksum = checksum_of(data, bytes)};
  memcpy(head.magic, MAGIC, sizeof MAGIC);
  if (head.bytes == vk->cached_bytes && head.checksum == vk->cached_checksum) return;
  if (write_file(vk->cache_path, &head, data))
    vk->cached_bytes = head.bytes, vk->cached_checksum = head.checksum;
  else
    rp_log(vk->context, RP_LOG_INFO, "Vulkan: pipelines are not kept: %s: %s", vk->cache_path, strerror(errno));
}

void rp_vk_cache_save(rp_vk *vk) {
  if (!vk->cache_path[0] || !vk->cache || !vk->n_pipelines || atomic_load(&vk->lost)) return;
  take_along(vk);
  size_t bytes = 0;
  if (vk->fn.vkGetPipelineCacheData(vk->device, vk->cache, &bytes, NULL) != VK_SUCCESS || !bytes) return;
  unsigned char *data = rp_host_alloc(vk->context, bytes, 8);
  if (data) keep(vk, data, bytes);
  rp_host_free(vk->context, data, bytes);
}

void rp_vk_cache_close(rp_vk *vk) {
  rp_vk_cache_save(vk);
  vk->fn.vkDestroyPipelineCache(vk->device, vk->cache, NULL);
}

/* ---- Pipelines that a program keeps itself ----------------------------------------------------------------------- */

bool rp_vk_cache_get(void *state, void *data, uint64_t *bytes) {
  rp_vk *vk = state;
  size_t n = data ? (size_t)*bytes : 0;
  pthread_mutex_lock(&vk->compile_lock);
  const VkResult result =
      vk->n_pipelines ? vk->fn.vkGetPipelineCacheData(vk->device, vk->cache, &n, data) : VK_INCOMPLETE;
  pthread_mutex_unlock(&vk->compile_lock);
  *bytes = n;
  return result == VK_SUCCESS && n && n <= MOST_BYTES;
}

bool rp_vk_cache_add(void *state, const void *data, uint64_t bytes) {
  rp_vk *vk = state;
  VkPhysicalDeviceProperties2 p = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2};
  VkPipelineCache other = VK_NULL_HANDLE;
  vk->fn.vkGetPhysicalDeviceProperties2(vk->adapter, &p);
  if (bytes > MOST_BYTES || !is_for(&p.properties, data, bytes)) return 0;
  const uint64_t checksum = checksum_of(data, bytes);
  pthread_mutex_lock(&vk->compile_lock);
  const bool known = vk->added_bytes == bytes && vk->added_checksum == checksum;
  bool good = known || create(vk, data, bytes, &other) == VK_SUCCESS;
  if (good && !known) {
    good = vk->fn.vkMergePipelineCaches(vk->device, vk->cache, 1, &other) == VK_SUCCESS;
    if (good) vk->added_bytes = bytes, vk->added_checksum = checksum;
    if (good)
      rp_log(vk->context, RP_LOG_DEBUG, "Vulkan: %llu bytes of pipelines that the program kept",
             (unsigned long long)bytes);
  }
  if (other) vk->fn.vkDestroyPipelineCache(vk->device, other, NULL);
  pthread_mutex_unlock(&vk->compile_lock);
  return good;
}
