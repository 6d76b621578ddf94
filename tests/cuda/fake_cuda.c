/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The fake driver's state, its controls, and the calls about drivers, devices, contexts and memory.
 */
#include "fake_state.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

fake_state fake = {.lock = PTHREAD_MUTEX_INITIALIZER, .changed = PTHREAD_COND_INITIALIZER};

enum { STACK = 16 };
static _Thread_local fake_object *stack[STACK];
static _Thread_local int depth;

/* ---- Objects ----------------------------------------------------------------------------------------------------- */

fake_object *fake_new(fake_kind kind, fake_object *context) {
  fake_object *o = calloc(1, sizeof *o);
  o->kind = kind;
  o->context = context ? context : o;
  o->device = o->context->device;
  o->next = fake.objects;
  fake.objects = o;
  return o;
}

void fake_delete(fake_object *object) {
  fake_object **at = &fake.objects;
  while (*at != object) at = &(*at)->next;
  *at = object->next;
  if (object->kind == FAKE_MEMORY) fake.used[object->device] -= object->bytes;
  for (uint32_t i = 0; object->kind == FAKE_GRAPH && i < object->n_nodes; i++) {
    free(object->nodes[i].deps);
    free(object->nodes[i].child);
    if (object->nodes[i].body) fake_delete(object->nodes[i].body);
  }
  if (object->around) fake_forget_body(object);
  if (object->kind == FAKE_EXEC) fake_free_copies(object->nodes, object->n_nodes);
  fake_unmap(object);
  free(object->nodes);
  free(object);
}

static void delete_context(fake_object *context) {
  for (fake_object *o = fake.objects, *next; o; o = next) {
    next = o->next;
    if (o->context == context && o != context) {
      fake_delete(o);
      next = fake.objects; /* starts again, because any part of the list may have changed */
    }
  }
  fake_delete(context);
}

void fake_violate(const char *function, const char *what) {
  if (!fake.violation[0]) snprintf(fake.violation, sizeof fake.violation, "%s: %s", function, what);
}

fake_object *fake_current(void) { return depth ? stack[depth - 1] : NULL; }

static int is_object(const void *handle) {
  for (fake_object *o = fake.objects; o; o = o->next)
    if (o == handle) return 1;
  return 0;
}

fake_object *fake_find_anywhere(const void *handle, fake_kind kind, const char *function) {
  fake_object *o = (fake_object *)handle;
  if (is_object(handle) && o->kind == kind) return o;
  fake_violate(function, "no such object");
  return NULL;
}

fake_object *fake_find(const void *handle, fake_kind kind, const char *function) {
  fake_object *o = (fake_object *)handle;
  if (!is_object(handle) || o->kind != kind) {
    fake_violate(function, "no such object");
    return NULL;
  }
  /* Graphs, and pinned memory that was made portable, belong to no context. */
  if (kind != FAKE_GRAPH && kind != FAKE_PINNED && kind != FAKE_CONTEXT && o->context != fake_current()) {
    fake_violate(function, "object of another context");
    return NULL;
  }
  return o;
}

fake_object *fake_find_memory(const void *address, uint64_t bytes) {
  const char *p = address;
  for (fake_object *o = fake.objects; o; o = o->next) {
    const char *base = o->memory;
    if ((o->kind == FAKE_MEMORY || o->kind == FAKE_PINNED) && p >= base && p + (bytes ? bytes : 1) <= base + o->bytes)
      return o;
  }
  return NULL;
}

/* ---- Calls ------------------------------------------------------------------------------------------------------- */

int fake_is_sticky(CUresult result) {
  return result == CUDA_ERROR_ILLEGAL_ADDRESS || result == CUDA_ERROR_LAUNCH_FAILED ||
         result == CUDA_ERROR_ECC_UNCORRECTABLE;
}

/* cuda.h maps a name to the newest version of the symbol: "cuMemAlloc" is cuMemAlloc_v2. */
static int is_named(const char *symbol, const char *name) {
  size_t n = strlen(name);
  return strncmp(symbol, name, n) == 0 &&
         (!symbol[n] || strncmp(symbol + n, "_v", 2) == 0 || strcmp(symbol + n, "WithFlags") == 0);
}

static void count(const char *function) {
  uint32_t i = 0;
  const size_t used = strlen(fake.sequence);
  if (strncmp(function, "cuCtx", 5) != 0 && used < sizeof fake.sequence)
    snprintf(fake.sequence + used, sizeof fake.sequence - used, "%s%s", used ? " " : "", function);
  while (i < fake.n_counts && strcmp(fake.counts[i].name, function) != 0) i++;
  if (i == FAKE_NAMES) return;
  if (i == fake.n_counts) {
    fake.counts[i].name = function;
    fake.counts[i].calls = 0;
    fake.n_counts++;
  }
  fake.counts[i].calls++;
}

CUresult fake_enter(const char *function, int needs_context) {
  pthread_mutex_lock(&fake.lock);
  count(function);
  fake_object *context = fake_current();
  if (needs_context && (!context || !is_object(context))) {
    fake_violate(function, "no current context");
    return CUDA_ERROR_INVALID_CONTEXT;
  }
  if (needs_context && fake.lost[context->device]) return (CUresult)fake.lost[context->device];
  if (fake.fail_in && (!fake.fail_function || is_named(function, fake.fail_function)) && --fake.fail_in == 0) {
    fake.failed = 1;
    if (context && fake_is_sticky(fake.fail_result)) fake.lost[context->device] = (int)fake.fail_result;
    return fake.fail_result;
  }
  return CUDA_SUCCESS;
}

CUresult fake_leave(CUresult result) {
  pthread_mutex_unlock(&fake.lock);
  return result;
}

CUresult fake_enter_named(const char *function) {
  pthread_mutex_lock(&fake.lock);
  count(function);
  if (!fake.fail_in || !fake.fail_function || !is_named(function, fake.fail_function) || --fake.fail_in)
    return CUDA_SUCCESS;
  fake.failed = 1;
  fake_object *context = fake_current();
  if (context && fake_is_sticky(fake.fail_result)) fake.lost[context->device] = (int)fake.fail_result;
  return fake.fail_result;
}

/* ---- Controls ---------------------------------------------------------------------------------------------------- */

void fake_restart(void) { memset(fake.lost, 0, sizeof fake.lost); }

void fake_reset(void) {
  while (fake.objects) fake_delete(fake.objects);
  fake.version = CUDA_VERSION;
  fake.devices = 2;
  fake.capability = 90;
  fake.memory = 1ull << 30;
  fake.n_kernels = fake.n_counts = fake.n_conditions = 0;
  fake.fail_in = fake.failed = fake.held = fake.apart = 0;
  fake.seed = 1;
  fake.violation[0] = 0;
  memset(fake.used, 0, sizeof fake.used);
  fake_restart();
  depth = 0;
}

void fake_set_version(int version) { fake.version = version; }
void fake_set_devices(int n, int capability) { fake.devices = n, fake.capability = capability; }
void fake_set_memory(uint64_t bytes) { fake.memory = bytes; }
void fake_set_apart(int apart) { fake.apart = apart; }
int fake_has_failed(void) { return fake.failed; }
CUstream fake_last_stream(void) { return fake.last_stream; }
uint64_t fake_memory_of(int device) { return fake.used[device]; }
const char *fake_violation(void) { return fake.violation[0] ? fake.violation : NULL; }
void fake_count_from_here(void) { fake.n_counts = 0, fake.sequence[0] = 0; }
const char *fake_sequence(void) { return fake.sequence; }

void fake_add_kernel(const char *entry, fake_kernel_fn fn, size_t args_bytes) {
  fake.kernels[fake.n_kernels++] = (fake_kernel){entry, fn, args_bytes};
}

void fake_fail(const char *function, int nth, CUresult result) {
  pthread_mutex_lock(&fake.lock);
  fake.fail_function = function;
  fake.fail_in = nth;
  fake.fail_result = result;
  fake.failed = 0;
  pthread_mutex_unlock(&fake.lock);
}

uint64_t fake_calls(const char *function) {
  uint64_t n = 0;
  for (uint32_t i = 0; i < fake.n_counts; i++)
    if (!function || is_named(fake.counts[i].name, function)) n += fake.counts[i].calls;
  return n;
}

void fake_hold(int held) {
  pthread_mutex_lock(&fake.lock);
  fake.held = held;
  pthread_cond_broadcast(&fake.changed);
  pthread_mutex_unlock(&fake.lock);
}

uint64_t fake_live(const char *kind) {
  static const char *const names[FAKE_KINDS] = {"context",  "module", "stream", "event",    "graph",  "exec",
                                                "function", "handle", "range",  "external", "device", "pinned"};
  uint64_t n = 0;
  pthread_mutex_lock(&fake.lock);
  for (fake_object *o = fake.objects; o; o = o->next)
    if (strcmp(names[o->kind], kind) == 0) n += o->kind >= FAKE_MEMORY ? o->bytes : 1;
  pthread_mutex_unlock(&fake.lock);
  return n;
}

uint64_t fake_find_pattern(uint64_t pattern) {
  uint64_t n = 0;
  for (fake_object *o = fake.objects; o; o = o->next)
    for (uint64_t i = 0; o->kind >= FAKE_MEMORY && i + sizeof pattern <= o->bytes; i += sizeof pattern)
      n += memcmp((const char *)o->memory + i, &pattern, sizeof pattern) == 0;
  return n;
}

/* ---- The driver and its devices ---------------------------------------------------------------------------------- */

#define FAKE_CALL FAKE_API CUresult CUDAAPI

FAKE_CALL cuDriverGetVersion(int *version) {
  const CUresult told = fake_enter_named(__func__);
  if (told != CUDA_SUCCESS) return fake_leave(told);
  *version = fake.version;
  return fake_leave(CUDA_SUCCESS);
}

FAKE_CALL cuInit(unsigned flags) {
  (void)flags;
  FAKE_ENTER(0);
  return fake_leave(fake.devices ? CUDA_SUCCESS : CUDA_ERROR_NO_DEVICE);
}

FAKE_CALL cuGetErrorName(CUresult error, const char **name) {
  const CUresult told = fake_enter_named(__func__);
  if (told != CUDA_SUCCESS) return fake_leave(told);
  *name = error == CUDA_ERROR_ILLEGAL_ADDRESS ? "CUDA_ERROR_ILLEGAL_ADDRESS" : "CUDA_ERROR_OF_THE_TEST";
  return fake_leave(CUDA_SUCCESS);
}

FAKE_CALL cuGetErrorString(CUresult error, const char **text) {
  const CUresult told = fake_enter_named(__func__);
  if (told != CUDA_SUCCESS) return fake_leave(told);
  *text = error == CUDA_ERROR_NO_DEVICE ? "no CUDA-capable device is detected" : "told to fail";
  return fake_leave(CUDA_SUCCESS);
}

FAKE_CALL cuDeviceGetCount(int *n) {
  const CUresult told = fake_enter_named(__func__);
  if (told != CUDA_SUCCESS) return fake_leave(told);
  *n = fake.devices;
  return fake_leave(CUDA_SUCCESS);
}

FAKE_CALL cuDeviceGet(CUdevice *device, int ordinal) {
  FAKE_ENTER(0);
  *device = ordinal;
  return fake_leave(ordinal < fake.devices ? CUDA_SUCCESS : CUDA_ERROR_INVALID_DEVICE);
}

FAKE_CALL cuDeviceGetName(char *name, int bytes, CUdevice device) {
  const CUresult told = fake_enter_named(__func__);
  if (told != CUDA_SUCCESS) return fake_leave(told);
  snprintf(name, (size_t)bytes, "Fake GPU %d", device);
  return fake_leave(CUDA_SUCCESS);
}

FAKE_CALL cuDeviceTotalMem(size_t *bytes, CUdevice device) {
  const CUresult told = fake_enter_named(__func__);
  if (told != CUDA_SUCCESS) return fake_leave(told);
  (void)device;
  *bytes = fake.memory;
  return fake_leave(CUDA_SUCCESS);
}

FAKE_CALL cuDeviceGetAttribute(int *value, CUdevice_attribute attribute, CUdevice device) {
  const CUresult told = fake_enter_named(__func__);
  if (told != CUDA_SUCCESS) return fake_leave(told);
  (void)device;
  switch (attribute) {
  case CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR: *value = fake.capability / 10; break;
  case CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR: *value = fake.capability % 10; break;
  case CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT: *value = 4; break;
  case CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK: *value = 1024; break;
  case CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN: *value = 200 << 10; break;
  case CU_DEVICE_ATTRIBUTE_WARP_SIZE: *value = 32; break;
  default: *value = 0;
  }
  return fake_leave(CUDA_SUCCESS);
}

/* ---- Contexts ---------------------------------------------------------------------------------------------------- */

static fake_object *primary(int device) {
  for (fake_object *o = fake.objects; o; o = o->next)
    if (o->kind == FAKE_CONTEXT && o->primary && o->device == device) return o;
  return NULL;
}

FAKE_CALL cuDevicePrimaryCtxRetain(CUcontext *context, CUdevice device) {
  FAKE_ENTER(0);
  fake_object *o = primary(device);
  if (!o) {
    o = fake_new(FAKE_CONTEXT, NULL);
    o->device = device;
    o->primary = 1;
  }
  o->references++;
  *context = (CUcontext)o;
  return fake_leave(CUDA_SUCCESS);
}

FAKE_CALL cuDevicePrimaryCtxRelease(CUdevice device) {
  const CUresult told = fake_enter_named(__func__);
  fake_object *o = primary(device);
  if (!o)
    fake_violate(__func__, "not retained");
  else if (--o->references == 0)
    delete_context(o);
  return fake_leave(told);
}

FAKE_CALL cuCtxPushCurrent(CUcontext context) {
  const CUresult told = fake_enter_named(__func__);
  if (told != CUDA_SUCCESS) return fake_leave(told);
  if (!is_object(context) || depth == STACK) {
    fake_violate(__func__, "no such context");
    return fake_leave(CUDA_ERROR_INVALID_CONTEXT);
  }
  stack[depth++] = (fake_object *)context;
  return fake_leave(told);
}

FAKE_CALL cuCtxPopCurrent(CUcontext *context) {
  const CUresult told = fake_enter_named(__func__);
  if (depth == 0) fake_violate(__func__, "nothing to pop");
  if (depth) *context = (CUcontext)stack[--depth];
  return fake_leave(told);
}

FAKE_CALL cuCtxGetDevice(CUdevice *device) {
  FAKE_ENTER(1);
  *device = fake_current()->device;
  return fake_leave(CUDA_SUCCESS);
}

FAKE_CALL cuDeviceCanAccessPeer(int *can, CUdevice device, CUdevice other) {
  FAKE_ENTER(0);
  *can = device != other && !fake.apart;
  return fake_leave(CUDA_SUCCESS);
}

FAKE_CALL cuCtxEnablePeerAccess(CUcontext context, unsigned flags) {
  (void)flags;
  FAKE_ENTER(1);
  const fake_object *other = fake_find(context, FAKE_CONTEXT, __func__);
  if (!other || other->device == fake_current()->device || fake.apart) return fake_leave(CUDA_ERROR_INVALID_DEVICE);
  const unsigned bit = 1u << other->device;
  if (fake_current()->peers & bit) return fake_leave(CUDA_ERROR_PEER_ACCESS_ALREADY_ENABLED);
  fake_current()->peers |= bit;
  return fake_leave(CUDA_SUCCESS);
}

/* ---- Memory ------------------------------------------------------------------------------------------------------ */

FAKE_CALL cuMemGetInfo(size_t *available, size_t *total) {
  FAKE_ENTER(1);
  *total = fake.memory;
  *available = fake.memory - fake.used[fake_current()->device];
  return fake_leave(CUDA_SUCCESS);
}

static fake_object *new_memory(fake_kind kind, size_t bytes) {
  fake_object *o = fake_new(kind, fake_current());
  o->bytes = bytes;
  o->memory = aligned_alloc(256, (bytes + 255) / 256 * 256);
  memset(o->memory, 0xa5, bytes);
  return o;
}

FAKE_CALL cuMemAlloc(CUdeviceptr *pointer, size_t bytes) {
  FAKE_ENTER(1);
  int device = fake_current()->device;
  if (bytes > fake.memory - fake.used[device]) return fake_leave(CUDA_ERROR_OUT_OF_MEMORY);
  fake.used[device] += bytes;
  *pointer = (CUdeviceptr)new_memory(FAKE_MEMORY, bytes)->memory;
  return fake_leave(CUDA_SUCCESS);
}

FAKE_CALL cuMemHostAlloc(void **pointer, size_t bytes, unsigned flags) {
  (void)flags;
  FAKE_ENTER(1);
  *pointer = new_memory(FAKE_PINNED, bytes)->memory;
  return fake_leave(CUDA_SUCCESS);
}

static CUresult free_memory(const void *memory, fake_kind kind, const char *function) {
  const CUresult told = fake_enter_named(function);
  fake_object *o = fake_find_memory(memory, 0);
  if (!o || o->kind != kind || o->memory != memory)
    fake_violate(function, "no such memory");
  else if (o->context != fake_current() && kind == FAKE_MEMORY)
    fake_violate(function, "memory of another context");
  else
    fake_delete(o);
  return fake_leave(told);
}

FAKE_CALL cuMemFree(CUdeviceptr pointer) { return free_memory((void *)pointer, FAKE_MEMORY, __func__); }
FAKE_CALL cuMemFreeHost(void *pointer) { return free_memory(pointer, FAKE_PINNED, __func__); }

/* Answers although it fails, as a driver may. */
FAKE_CALL cuPointerGetAttributes(unsigned n, CUpointer_attribute *wanted, void **answers, CUdeviceptr pointer) {
  const CUresult entered = fake_enter(__func__, 1);
  fake_object *o = fake_find_memory((void *)pointer, 0);
  for (unsigned i = 0; i < n; i++)
    if (wanted[i] == CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL)
      *(int *)answers[i] = o ? o->device : -2;
    else if (wanted[i] == CU_POINTER_ATTRIBUTE_RANGE_START_ADDR)
      *(CUdeviceptr *)answers[i] = o ? (CUdeviceptr)o->memory : 0;
    else
      *(unsigned *)answers[i] = !o ? 0 : o->kind == FAKE_MEMORY ? CU_MEMORYTYPE_DEVICE : CU_MEMORYTYPE_HOST;
  return fake_leave(entered);
}

static CUresult copy(void *dst, const void *src, CUdeviceptr device, size_t bytes, const char *function) {
  CUresult entered = fake_enter(function, 1);
  if (entered != CUDA_SUCCESS) return fake_leave(entered);
  fake_object *o = fake_find_memory((void *)device, bytes);
  if (!o || o->kind != FAKE_MEMORY || o->context != fake_current()) {
    fake_violate(function, "not inside device memory of this context");
    return fake_leave(CUDA_ERROR_INVALID_VALUE);
  }
  memcpy(dst, src, bytes);
  return fake_leave(CUDA_SUCCESS);
}

FAKE_CALL cuMemcpyHtoD(CUdeviceptr dst, const void *src, size_t bytes) {
  return copy((void *)dst, src, dst, bytes, __func__);
}
FAKE_CALL cuMemcpyDtoH(void *dst, CUdeviceptr src, size_t bytes) {
  return copy(dst, (const void *)src, src, bytes, __func__);
}

FAKE_CALL cuMemcpyHtoDAsync(CUdeviceptr dst, const void *src, size_t bytes, CUstream stream) {
  FAKE_ENTER(1);
  fake_object *to = fake_find_memory((void *)dst, bytes), *from = fake_find_memory(src, bytes);
  if (!to || to->kind != FAKE_MEMORY || to->context != fake_current() || !from || from->kind != FAKE_PINNED ||
      !fake_find(stream, FAKE_STREAM, __func__)) {
    fake_violate(__func__, "not from pinned memory to device memory of this context");
    return fake_leave(CUDA_ERROR_INVALID_VALUE);
  }
  memcpy((void *)dst, src, bytes);
  return fake_leave(CUDA_SUCCESS);
}

FAKE_CALL cuMemcpyPeerAsync(CUdeviceptr dst, CUcontext dst_context, CUdeviceptr src, CUcontext src_context,
                            size_t bytes, CUstream stream) {
  FAKE_ENTER(1);
  fake_object *to = fake_find_memory((void *)dst, bytes), *from = fake_find_memory((void *)src, bytes);
  if (!to || to->kind != FAKE_MEMORY || (CUcontext)to->context != dst_context || !from || from->kind != FAKE_MEMORY ||
      (CUcontext)from->context != src_context || !fake_find(stream, FAKE_STREAM, __func__)) {
    fake_violate(__func__, "not between device memory of these contexts");
    return fake_leave(CUDA_ERROR_INVALID_VALUE);
  }
  memcpy((void *)dst, (const void *)src, bytes);
  return fake_leave(CUDA_SUCCESS);
}

FAKE_CALL cuMemsetD8Async(CUdeviceptr dst, unsigned char value, size_t bytes, CUstream stream) {
  FAKE_ENTER(1);
  fake_object *o = fake_find_memory((void *)dst, bytes);
  if (!o || o->context != fake_current() || !fake_find(stream, FAKE_STREAM, __func__)) {
    fake_violate(__func__, "memory or stream of another context");
    return fake_leave(CUDA_ERROR_INVALID_VALUE);
  }
  memset((void *)dst, value, bytes);
  return fake_leave(CUDA_SUCCESS);
}
