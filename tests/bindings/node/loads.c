/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * usage: loads MODULE.node
 * Loads a native module as Node does, without Node: what it needs besides Node-API is there,
 * and so are its entry points. For modules of machines that only an emulator runs. */
#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>

int main(int argc, char **argv) {
  void *module = argc == 2 ? dlopen(argv[1], RTLD_LAZY) : NULL; /* functions of Node are bound when they are called */
  void *version = module ? dlsym(module, "node_api_module_get_api_version_v1") : NULL;
  if (!version || !dlsym(module, "napi_register_module_v1")) {
    const char *why = dlerror();
    return fprintf(stderr, "%s is not loaded: %s\n", argc == 2 ? argv[1] : "no module", why ? why : "no argument"), 1;
  }
  return printf("%s is for Node-API %d\n", argv[1], (int)((int32_t(*)(void))version)()), 0;
}
