/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * peak COMMAND...: runs it and prints the most memory that it had at once, in bytes, on standard output; the command's
 * own goes to standard error. Exits as it does. (GNU time does the same, where it is installed; a shell's own memory
 * would count for a child that it forks, this program's is less than any that it measures.)
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
