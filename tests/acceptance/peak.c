/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * peak COMMAND...: runs the command and prints its peak memory, in bytes, on standard output; the command's own
 * standard output goes to standard error. The exit code is the command's. (GNU time does the same where it is
 * installed. A shell cannot do this, because a child that it forks begins with the shell's memory. This program takes
 * less memory than any command that it measures.)
 */
#include <stdio.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

int main(int argc, char **argv) {
  (void)argc;
  pid_t child = fork();
  if (child < 0) return 126;
  if (child == 0) {
    dup2(STDERR_FILENO, STDOUT_FILENO);
    execvp(argv[1], argv + 1);
    _exit(127);
  }
  int status;
  struct rusage usage;
  if (wait4(child, &status, 0, &usage) != child || !WIFEXITED(status)) return 126;
  printf("%lld\n", (long long)usage.ru_maxrss * 1024);
  return WEXITSTATUS(status);
}
