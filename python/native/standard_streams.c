/* The standard streams for archives that were compiled for programs (cmake/wheel.cmake): a shared
 * library cannot reach those of the C library in their way, but variables of its own it can. */
#include <stdio.h>

__attribute__((visibility("hidden"))) FILE* wheel_stdin;
__attribute__((visibility("hidden"))) FILE* wheel_stdout;
__attribute__((visibility("hidden"))) FILE* wheel_stderr;

__attribute__((constructor(101))) static void find_streams(void) {
  wheel_stdin = stdin;
  wheel_stdout = stdout;
  wheel_stderr = stderr;
}
