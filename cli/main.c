/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * reprise: the list of subcommands.
 */
#include "cli.h"

#include <fcntl.h>
#include <signal.h>
#include <stdatomic.h>
#include <string.h>
#include <unistd.h>

static const cli_command *const commands[] = {
    &cli_prove,     &cli_verify,      &cli_record,    &cli_replay,      &cli_vkey,       &cli_calldata, &cli_graph,
    &cli_view,      &cli_profile,     &cli_info,      &cli_devices,     &cli_bench,      &cli_setup,    &cli_serve,
    &cli_farm_init, &cli_farm_submit, &cli_farm_work, &cli_farm_status, &cli_farm_drain,
};
enum { N_COMMANDS = sizeof commands / sizeof *commands };

static void print_help(FILE *to) {
  fputs("Usage: reprise COMMAND [OPTION...] ARGUMENTS\n"
        "Groth16, PLONK and FFLONK: records a prover once and replays it for each proof; reads\n"
        "and writes the files of snarkjs.\n\n",
        to);
  for (unsigned i = 0; i < N_COMMANDS; i++) fprintf(to, "  %-12s %s\n", commands[i]->name, commands[i]->summary);
  fputs("\n  reprise COMMAND -h says more about one.  reprise --version prints the version.\n\nExit codes:\n", to);
#define CLI_EXIT_PRINT(name, code, text) fprintf(to, "  %d  %s\n", code, text);
  CLI_EXIT_LIST(CLI_EXIT_PRINT)
#undef CLI_EXIT_PRINT
}

/* If the caller closed a standard stream, the next opened file would get its number, and messages would be written to
 * that file. The streams are therefore opened in the wrong direction, so that using them stays an error. */
static void reserve_standard_streams(void) {
  for (int fd = 0; fd <= 2; fd++)
    if (fcntl(fd, F_GETFD) == -1 && open("/dev/null", fd == 0 ? O_WRONLY : O_RDONLY) != fd) _exit(CLI_FILE);
}

/* Prerecorded files are used in place, and so are the points of a zkey by reprise prove. If somebody truncates such a
 * file, or its disk fails, the next access raises SIGBUS, perhaps in several threads at once; one of them prints the
 * message. Incomplete outputs have no names yet, so nothing is left behind. */
static void mapped_file_lost(int number) {
  static const char text[] =
      "reprise: a key that is in use was cut short, or its disk fails; copy or record it again\n";
  static atomic_flag said = ATOMIC_FLAG_INIT;
  char line[sizeof text + 4];
  (void)number;
  while (atomic_flag_test_and_set(&said)) pause();
  const size_t cleared = cli_progress_cleared(line); /* NOLINT(bugprone-signal-handler,cert-sig30-c): atomics, memcpy */
  memcpy(line + cleared, text, sizeof text - 1);
  ssize_t written = write(STDERR_FILENO, line, cleared + sizeof text - 1);
  _exit(written > 0 ? CLI_FILE : CLI_INTERNAL);
}

/* Whether the arguments begin with the command's name, of *words words. */
static bool is_named(const cli_command *command, int argc, char **argv, int *words) {
  const char *second = strchr(command->name, ' ');
  const size_t length = second ? (size_t)(second - command->name) : strlen(command->name);
  *words = second ? 2 : 1;
  return argc >= *words && strlen(argv[0]) == length && strncmp(argv[0], command->name, length) == 0 &&
         (!second || strcmp(argv[1], second + 1) == 0);
}

int main(int argc, char **argv) {
  /* With a closed pipe, or at a limit on the size of files, writing must fail instead of killing the process. */
  signal(SIGPIPE, SIG_IGN);
  signal(SIGXFSZ, SIG_IGN);
  signal(SIGBUS, mapped_file_lost);
  reserve_standard_streams();
  argp_err_exit_status = CLI_USAGE;

  const char *name = argc > 1 ? argv[1] : "";
  int words = 1;
  for (unsigned i = 0; i < N_COMMANDS; i++)
    if (is_named(commands[i], argc - 1, argv + 1, &words))
      return (int)cli_dispatch(commands[i], argc - words, argv + words);

  const cli_call top = {0};
  if (strcmp(name, "--help") == 0 || strcmp(name, "-h") == 0 || strcmp(name, "help") == 0) {
    print_help(stdout);
    return (int)cli_finish(&top);
  }
  if (strcmp(name, "--version") == 0 || strcmp(name, "-V") == 0) {
    printf("reprise %s\n", rp_version());
    return (int)cli_finish(&top);
  }
  if (argc < 2) {
    print_help(stderr);
    return CLI_USAGE;
  }
  if (strcmp(name, "farm") == 0)
    return (int)cli_refuse(&top, CLI_USAGE,
                           "farm needs init, submit, work, status or drain; reprise --help lists them");
  return (int)cli_refuse(&top, CLI_USAGE, "there is no command \"%s\"; reprise --help lists them", name);
}
