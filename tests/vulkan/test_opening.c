/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * What a device must have is checked when it is opened, and is named when it is missing; the device's properties appear
 * in its limits. Also labels, the memory of small blocks, and calls that fail while a device is opened.
 */
#include "pretend.h"
#include "work.h"

#include "device.h"

#include <dlfcn.h>
#include <link.h>
#include <stdio.h>

/* Both rp_device_open and rp_devices refuse vulkan:0 for this reason. */
static void refused(const char *because) {
  rp_context *context;
  rp_device *device = NULL;
  rp_error err = {0};
  rp_device_info infos[32] = {{.struct_size = sizeof *infos}};
  uint32_t n = 0;
  const rp_device_options options = {.struct_size = sizeof options, .kind = RP_DEVICE_VULKAN};
  EXPECT(RP_OK, rp_context_create(NULL, &context, &err), &err);
  EXPECT(RP_ERR_UNAVAILABLE, rp_device_open(context, &options, &device, &err), &err);
  assert_null(device);
  if (!strstr(err.reason, because)) fail_msg("\"%s\" does not say \"%s\"", err.reason, because);
  EXPECT(RP_OK, rp_devices(context, infos, 32, &n, &err), &err);
  for (uint32_t i = 0; i < n && i < 32; i++) {
    if (infos[i].kind != RP_DEVICE_VULKAN) continue;
    assert_false(infos[i].available);
    if (!strstr(infos[i].reason, because)) fail_msg("rp_devices: \"%s\" does not say \"%s\"", infos[i].reason, because);
  }
  rp_context_destroy(context);
}

static void missing_features_are_named(void **state) {
  (void)state;
  static const char *const names[] = {
#define NAME(from, member, name) name,
      PRETEND_FEATURES(NAME)
#undef NAME
  };
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    pretend = (pretence){.lacks = names[i]};
    refused(names[i]);
  }
}

static int count_drivers(struct dl_phdr_info *info, size_t bytes, void *count) {
  (void)bytes;
  void *library = info->dlpi_name[0] ? dlopen(info->dlpi_name, RTLD_LAZY | RTLD_NOLOAD) : NULL;
  if (!library) return 0;
  *(int *)count += dlsym(library, "vk_icdGetInstanceProcAddr") != NULL;
  dlclose(library);
  return 0;
}

/* A driver that is loaded anew each time may exhaust a resource of the process: NVIDIA's does after thirty times. */
static void opens_again_and_again(void **state) {
  (void)state;
  enum { TIMES = 80 };
  rp_context *context;
  rp_error err = {0};
  pretend = (pretence){0};
  EXPECT(RP_OK, rp_context_create(NULL, &context, &err), &err);
  for (int i = 0; i < TIMES; i++) {
    rp_device_info infos[32] = {{.struct_size = sizeof *infos}};
    uint32_t n = 0, found = 0;
    EXPECT(RP_OK, rp_devices(context, infos, 32, &n, &err), &err);
    for (uint32_t k = 0; k < n && k < 32; k++) {
      if (infos[k].kind != RP_DEVICE_VULKAN) continue;
      if (!infos[k].available) fail_msg("time %d: %s", i, infos[k].reason);
      found = 1;
    }
    assert_true(found);
  }
  rp_context_destroy(context);
  int drivers = 0; /* drivers that are still loaded, although no instance is left */
  dl_iterate_phdr(count_drivers, &drivers);
  assert_true(drivers > 0);
}

static void missing_limits_are_named(void **state) {
  (void)state;
  pretend = (pretence){.api_version = VK_API_VERSION_1_1};
  refused("Vulkan 1.1, needs 1.2");
  pretend = (pretence){.shared_bytes = 8192};
  refused("bytes of workgroup memory");
  pretend = (pretence){.no_compute = 1};
  refused("a compute queue");
  pretend = (pretence){.lacks = "timelineSemaphore", .no_compute = 1}; /* both are named in one sentence */
  refused("timelineSemaphore, a compute queue, which this driver does not offer");
}

static void limits_are_the_adapters(void **state) {
  (void)state;
  bench b;
  rp_device_info info = {.struct_size = sizeof info};
  pretend = (pretence){.shared_bytes = 40960, .max_group = 512};
  bench_open(&b);
  rp_device_get_info(b.device, &info);
  assert_int_equal(info.limits.shared_bytes, 40960);
  assert_int_equal(info.limits.max_group, 512);
  bench_close(&b);
}

/* Every step lies between the begin and the end of a label, which has the node's full name. */
static void labels(void **state) {
  (void)state;
  bench b;
  work w;
  pretend = (pretence){0};
  bench_open(&b);
  work_make(&b, &w, 1, 0);
  assert_true(pretend.labels >= 5);
  assert_int_equal(pretend.open_labels, 0);
  assert_non_null(strstr(pretend.label, "prove/"));
  work_drop(&w);
  bench_close(&b);
}

/* Many small blocks share one allocation without overlap; it is freed with the last of them. A large block has its
 * own. */
static void small_blocks_share(void **state) {
  (void)state;
  enum { BLOCKS = 100, SMALL = 3000, LARGE = 3 << 20 };
  bench b;
  rp_memory blocks[BLOCKS], large;
  rp_error err = {0};
  bench_open(&b);
  rp_vk *vk = b.device->state;
  for (uint32_t i = 0; i < BLOCKS; i++) {
    EXPECT(RP_OK, rp_vk_memory_alloc(vk, RP_MEMORY_DEVICE, SMALL, &blocks[i], &err), &err);
    assert_int_equal(blocks[i].address % 256, 0);
    for (uint32_t j = 0; j < i; j++)
      assert_true(blocks[j].address + SMALL <= blocks[i].address || blocks[i].address + SMALL <= blocks[j].address);
  }
  assert_int_equal(interpose.calls[CALL_vkAllocateMemory], 1);
  EXPECT(RP_OK, rp_vk_memory_alloc(vk, RP_MEMORY_DEVICE, LARGE, &large, &err), &err);
  assert_int_equal(interpose.calls[CALL_vkAllocateMemory], 2);
  assert_int_equal(rp_vk_block_of(&large)->offset, 0);
  for (uint32_t i = 0; i < BLOCKS; i++) {
    unsigned char bytes[SMALL], back[SMALL];
    memset(bytes, (int)i + 1, SMALL);
    EXPECT(RP_OK, rp_vk_memory_write(vk, &blocks[i], 0, bytes, SMALL, &err), &err);
    EXPECT(RP_OK, rp_vk_memory_read(vk, &blocks[0], 0, back, SMALL, &err), &err);
    assert_int_equal(back[SMALL - 1], 1); /* no other block overwrites the first one */
  }
  for (uint32_t i = 0; i < BLOCKS; i++) rp_vk_memory_free(vk, &blocks[i]);
  rp_vk_memory_free(vk, &large);
  for (const rp_vk_chunk *c = vk->chunks; c; c = c->next) assert_true(c->kind != RP_MEMORY_DEVICE);
  bench_close(&b);
}

/* ---- Calls that fail while a device is opened -------------------------------------------------------------------- */

static uint64_t live_bytes;
static void *take(void *user, size_t bytes, size_t align) {
  (void)user;
  live_bytes += bytes;
  return aligned_alloc(align, (bytes + align - 1) / align * align);
}
static void give(void *user, void *memory, size_t bytes) {
  (void)user;
  live_bytes -= bytes;
  free(memory);
}

/* Opens and closes a device; a failure gives a reason and no device. */
static rp_status open_once(rp_context *context) {
  const rp_device_options options = {.struct_size = sizeof options, .kind = RP_DEVICE_VULKAN};
  rp_device *device = NULL;
  rp_error err = {0};
  const rp_status status = rp_device_open(context, &options, &device, &err);
  assert_int_equal(status == RP_OK, device != NULL);
  if (status != RP_OK) assert_true(err.status == status && strlen(err.reason) > 10);
  rp_device_close(device);
  return status;
}

/* After a call that failed, its list is not read. */
static void failing_lists(void **state) {
  (void)state;
  bench b;
  rp_device_info info = {.struct_size = sizeof info};
  pretend = (pretence){.hardware = 1, .no_extensions = VK_ERROR_OUT_OF_HOST_MEMORY};
  bench_open(&b);
  rp_device_get_info(b.device, &info);
  assert_int_equal(pretend.instance_extensions, 0);
  assert_true(info.limits.workers > 0); /* the default, and not a number from an extension */
  bench_close(&b);
}

/* Failures before there is an instance: the reason names the call and its result. */
static void failing_instance(void **state) {
  (void)state;
  static const VkResult results[] = {VK_ERROR_OUT_OF_HOST_MEMORY, VK_ERROR_INITIALIZATION_FAILED,
                                     VK_ERROR_INCOMPATIBLE_DRIVER, VK_ERROR_EXTENSION_NOT_PRESENT};
  for (size_t i = 0; i < sizeof results / sizeof *results; i++) {
    char number[24];
    snprintf(number, sizeof number, "gave %d", (int)results[i]);
    pretend = (pretence){.no_instance = results[i]};
    refused("vkCreateInstance");
    refused(number);
    pretend = (pretence){.no_version = results[i]};
    refused("vkEnumerateInstanceVersion");
    refused(number);
  }
  bench b;
  pretend = (pretence){0};
  bench_open(&b); /* the device can still be opened */
  bench_close(&b);
}

/* Listing devices and opening one is done with one instance, which all devices of the context share. */
static void one_instance(void **state) {
  (void)state;
  const rp_device_options o = {.struct_size = sizeof o, .kind = RP_DEVICE_VULKAN};
  rp_context *context;
  rp_device *devices[2];
  pretend = (pretence){0};
  assert_int_equal(rp_context_create(NULL, &context, NULL), RP_OK);
  for (uint32_t round = 1; round <= 2; round++) {
    for (int i = 0; i < 2; i++) assert_int_equal(rp_device_open(context, &o, &devices[i], NULL), RP_OK);
    assert_int_equal(pretend.instances, round);
    for (int i = 0; i < 2; i++) rp_device_close(devices[i]);
  }
  rp_context_destroy(context);
}

/* The validation layer reports every object that is not destroyed. */
static void every_call_of_opening_fails(void **state) {
  (void)state;
  static const struct {
    VkResult result;
    rp_status status;
  } ways[] = {{VK_ERROR_OUT_OF_DEVICE_MEMORY, RP_ERR_DEVICE_MEMORY},
              {VK_ERROR_OUT_OF_HOST_MEMORY, RP_ERR_MEMORY},
              {VK_ERROR_DEVICE_LOST, RP_ERR_DEVICE_LOST},
              {VK_ERROR_INITIALIZATION_FAILED, RP_ERR_INTERNAL}};
  const rp_context_options options = {.struct_size = sizeof options, .allocator = {.alloc = take, .free = give}};
  rp_context *context;
  uint32_t faults = 0;
  pretend = (pretence){.interposed = 1};
  assert_int_equal(rp_context_create(&options, &context, NULL), RP_OK);
  interpose_reset();
  assert_int_equal(open_once(context), RP_OK);
  const uint64_t bytes = live_bytes;
  for (int call = -2; call < N_INTERPOSED; call++)
    for (int way = 0; way < 4; way++)
      for (uint64_t nth = 1;; nth++) {
        interpose_reset();
        if (call >= 0) interpose.fail_call = call, interpose.fail_in = nth, interpose.fail_result = ways[way].result;
        pretend.no_device = call == -1 ? ways[way].result : VK_SUCCESS;
        pretend.no_adapters = call == -2 ? ways[way].result : VK_SUCCESS;
        const rp_status status = open_once(context);
        if (call >= 0 && interpose.fail_call >= 0) break; /* there are fewer than nth calls */
        assert_int_equal(live_bytes, bytes);
        /* If the driver refuses the pipelines on disk, an empty cache is used instead. */
        const int aside = call == CALL_vkCreatePipelineCache && nth == 1 && status == RP_OK;
        if (!aside) assert_int_equal(status, call == -2 ? RP_ERR_UNAVAILABLE : ways[way].status);
        faults++;
        if (call < 0) break;
      }
  interpose_reset();
  pretend = (pretence){0};
  assert_int_equal(open_once(context), RP_OK);
  rp_context_destroy(context);
  assert_int_equal(live_bytes, 0);
  print_message("%u faults\n", faults);
  assert_true(faults > 20);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(one_instance),
      cmocka_unit_test(opens_again_and_again),
      cmocka_unit_test(missing_features_are_named),
      cmocka_unit_test(missing_limits_are_named),
      cmocka_unit_test(limits_are_the_adapters),
      cmocka_unit_test(every_call_of_opening_fails),
      cmocka_unit_test(labels),
      cmocka_unit_test(small_blocks_share),
      cmocka_unit_test(failing_lists),
      cmocka_unit_test(failing_instance),
  };
  return cmocka_run_group_tests_name("vulkan_opening", tests, NULL, NULL);
}
