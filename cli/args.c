/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Arguments, with the C library's argp, which writes --help and --usage from the tables that it uses for parsing.
 */
#include "cli.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum {
  OPTION_DEVICE = 'd',
  OPTION_THREADS = 't',
  OPTION_MEMORY = 'm',
  OPTION_JSON = 'j',
  OPTION_HELP = 'h',
  OPTION_HELP_TOO = '?', /* as in other programs that use argp */
  OPTION_USAGE = 256,
  OPTION_SHA256
};

static const struct argp_option device_options[] = {
    {"device", OPTION_DEVICE, "DEVICE", 0, "auto, cpu, cuda or vulkan, or one of several as in cuda:1 (default: auto)",
     8},
    {"threads", OPTION_THREADS, "N", 0, "Threads of the CPU device (default: all processors)", 8},
    {"memory", OPTION_MEMORY, "BYTES", 0, "Device memory to stay within; suffix K, M, G or T (default: what there is)",
     8},
    {0},
};
static const struct argp_option json_options[] = {
    {"json", OPTION_JSON, 0, 0, "Print the result as JSON", 8},
    {0},
};
static const struct argp_option key_options[] = {
    {"sha256", OPTION_SHA256, "HEX", 0, "Refuse a key file with another SHA-256, before it is read", 8},
    {0},
};
const struct argp_option cli_output_options[] = {
    {"output", 'o', "FILE", 0, "Where to write (default: standard output)", 1},
    {0},
};
/* argp's own --help and --usage would end the program without checking that the output was written. */
static const struct argp_option help_options[] = {
    {"help", OPTION_HELP, 0, 0, "Give this help list", -1},
    {NULL, OPTION_HELP_TOO, 0, OPTION_ALIAS | OPTION_HIDDEN, NULL, -1},
    {"usage", OPTION_USAGE, 0, 0, "Give a short usage message", -1},
    {0},
};

error_t cli_output_option(int key, const char *arg, cli_call *call, struct argp_state *state) {
  (void)state;
  if (key != 'o') return ARGP_ERR_UNKNOWN;
  ((cli_output *)call->options)->path = arg;
  return 0;
}

uint64_t cli_parse_number(const char *text, uint64_t min, uint64_t max, const char *what, struct argp_state *state) {
  char *end = NULL;
  errno = 0;
  unsigned long long value = strtoull(text, &end, 10);
  if (!isdigit((unsigned char)*text) || *end != '\0' || errno != 0 || value < min || value > max)
    argp_error(state, "%s must be a number from %llu to %llu, and \"%s\" is not", what, (unsigned long long)min,
               (unsigned long long)max, text);
  return value;
}

uint64_t cli_parse_bytes(const char *text, const char *what, struct argp_state *state) {
  static const char suffix[] = "KMGT";
  char *end = NULL;
  errno = 0;
  unsigned long long value = strtoull(text, &end, 10);
  unsigned shift = 0;
  const char *unit = *end ? strchr(suffix, toupper((unsigned char)*end)) : NULL;
  if (unit) {
    shift = 10 * (unsigned)(unit - suffix + 1);
    end++;
  }
  if (!isdigit((unsigned char)*text) || *end != '\0' || errno != 0 || value == 0 || value > UINT64_MAX >> shift)
    argp_error(state, "%s must be a number of bytes such as 512M, and \"%s\" is not", what, text);
  return (uint64_t)value << shift;
}

/* KIND, KIND:INDEX, KIND:* or cpu/THREADS; the last two only where several devices may be listed. */
static void parse_device(const char *text, bool many, rp_device_options *device, struct argp_state *state) {
  const size_t length = strcspn(text, many ? ":/" : ":");
  const char *after = text[length] ? text + length + 1 : NULL;
  for (int kind = 0; kind < RP_DEVICE_KIND_COUNT; kind++) {
    const char *name = rp_device_kind_name((rp_device_kind)kind);
    if (kind == RP_DEVICE_NULL || strlen(name) != length || strncmp(text, name, length) != 0) continue;
    device->kind = (rp_device_kind)kind;
    if (!after) return;
    if (text[length] == '/' && kind != RP_DEVICE_CPU) break;
    if (text[length] == '/')
      device->cpu_threads = (uint32_t)cli_parse_number(after, 1, 4096, "the threads of a part of the CPU", state);
    else if (many && kind != RP_DEVICE_AUTO && strcmp(after, "*") == 0)
      device->index = CLI_ALL_OF_KIND;
    else
      device->index = (uint32_t)cli_parse_number(after, 0, 255, "the number of a device", state);
    return;
  }
  argp_error(state, "there is no kind of device \"%s\"; choose auto, cpu, cuda or vulkan", text);
}

/* One device, or a list with commas between them. */
static void parse_devices(const char *text, cli_call *call, struct argp_state *state) {
  const bool many = (call->command->takes & CLI_TAKES_DEVICES) != 0;
  call->n_devices = 0;
  if (!many || !strpbrk(text, ",*/")) {
    parse_device(text, 0, &call->device, state);
    return;
  }
  char *copy = strdup(text), *rest = copy, *one;
  if (!copy) argp_error(state, "%s", rp_status_text(RP_ERR_MEMORY));
  while ((one = strsep(&rest, ","))) {
    if (call->n_devices == CLI_MOST_DEVICES) argp_error(state, "--device lists more than %d devices", CLI_MOST_DEVICES);
    rp_device_options *device = &call->devices[call->n_devices++];
    *device = (rp_device_options){.struct_size = sizeof *device};
    parse_device(one, 1, device, state);
  }
  free(copy);
}

static int hex_digit(char c) {
  return c >= '0' && c <= '9'   ? c - '0'
         : c >= 'a' && c <= 'f' ? c - 'a' + 10
         : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                : -1;
}

static void parse_sha256(const char *text, cli_call *call, struct argp_state *state) {
  const size_t n = sizeof call->sha256;
  bool good = strlen(text) == 2 * n;
  for (size_t i = 0; i < n && good; i++) {
    const int high = hex_digit(text[2 * i]), low = hex_digit(text[2 * i + 1]);
    good = high >= 0 && low >= 0;
    if (good) call->sha256[i] = (uint8_t)(high << 4 | low);
  }
  if (!good)
    argp_error(state, "--sha256 must be 64 hexadecimal digits, as sha256sum prints them, and \"%s\" is not", text);
  call->pinned = 1;
}

static void print_and_end(unsigned what, struct argp_state *state) {
  argp_state_help(state, stdout, what);
  exit((int)cli_finish(state->input));
}

static error_t parse_shared(int key, char *arg, struct argp_state *state) {
  cli_call *call = state->input;
  switch (key) {
  case OPTION_DEVICE: parse_devices(arg, call, state); return 0;
  case OPTION_THREADS:
    call->device.cpu_threads = (uint32_t)cli_parse_number(arg, 1, 4096, "--threads", state);
    return 0;
  case OPTION_MEMORY: call->memory_bytes = cli_parse_bytes(arg, "--memory", state); return 0;
  case OPTION_JSON: call->json = 1; return 0;
  case OPTION_SHA256: parse_sha256(arg, call, state); return 0;
  case OPTION_HELP:
  case OPTION_HELP_TOO: print_and_end(ARGP_HELP_SHORT_USAGE | ARGP_HELP_LONG | ARGP_HELP_DOC, state); return 0;
  case OPTION_USAGE: print_and_end(ARGP_HELP_USAGE, state); return 0;
  default: return ARGP_ERR_UNKNOWN;
  }
}

static error_t parse_own(int key, char *arg, struct argp_state *state) {
  cli_call *call = state->input;
  const cli_command *command = call->command;
  switch (key) {
  case ARGP_KEY_INIT:
    for (unsigned i = 0; i < 4; i++) state->child_inputs[i] = call;
    return 0;
  case ARGP_KEY_ARG:
    if (call->n_args == command->max_args) argp_error(state, "\"%s\" is one argument too many", arg);
    call->args[call->n_args++] = arg;
    return 0;
  case ARGP_KEY_END:
    if (call->n_args < command->min_args) argp_error(state, "arguments are missing: %s", command->arguments);
    return 0;
  default: return command->option ? command->option(key, arg, call, state) : ARGP_ERR_UNKNOWN;
  }
}

/* Ends the program on --help and on usage errors. Otherwise it returns; out of memory is its only failure. argp and
 * getopt write messages about arguments to `stderr`, which is a variable in the GNU C Library. */
static error_t parse(const struct argp *argp, int argc, char **argv, cli_call *call) {
  FILE *const plain = stderr, *printable = cli_printable_stream(plain);
  if (!printable) return ENOMEM;
  stderr = printable;
  const error_t failed = argp_parse(argp, argc, argv, ARGP_NO_HELP, NULL, call);
  stderr = plain;
  (void)fclose(printable); /* it is not buffered */
  return failed;
}

cli_exit cli_dispatch(const cli_command *command, int argc, char **argv) {
  const struct argp device = {.options = device_options, .parser = parse_shared};
  const struct argp json = {.options = json_options, .parser = parse_shared};
  const struct argp key = {.options = key_options, .parser = parse_shared};
  const struct argp help = {.options = help_options, .parser = parse_shared};
  const struct argp none = {0};
  const struct argp_child children[] = {
      {command->takes & CLI_TAKES_DEVICE ? &device : &none, 0, NULL, 0},
      {command->takes & CLI_TAKES_JSON ? &json : &none, 0, NULL, 0},
      {command->takes & CLI_TAKES_KEY ? &key : &none, 0, NULL, 0},
      {&help, 0, NULL, 0},
      {0},
  };
  char name[64], doc[4096];
  snprintf(name, sizeof name, "reprise %s", command->name);
  snprintf(doc, sizeof doc, "%s.%s%s", command->summary, command->details ? "\v" : "",
           command->details ? command->details : "");
  const struct argp argp = {command->own, parse_own, command->arguments, doc, children, NULL, NULL};

  cli_call call = {.command = command, .device = {.struct_size = sizeof(rp_device_options)}};
  call.args = calloc((size_t)argc + 1, sizeof *call.args);
  call.options = calloc(1, command->options_bytes + 1);
  cli_exit code = CLI_MEMORY;
  argv[0] = name;
  if (call.args && call.options && parse(&argp, argc, argv, &call) == 0)
    code = command->run(&call);
  else
    cli_refuse(&call, code, "%s", rp_status_text(RP_ERR_MEMORY));
  free(call.args);
  free(call.options);
  return code;
}
