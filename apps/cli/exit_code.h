// What the shell is told. docs/sorites.1 and every --help say the same.
#pragma once

namespace sorites {

enum ExitCode : int {
  kDone = 0,
  kRunFailed = 1,
  kInputWrong = 2,  // the command line too
  kInfeasible = 3,
  kInterrupted = 130,
};

inline constexpr const char* kExitCodeHelp =
    "Exit codes: 0 done, 1 the run failed or its result is not optimal, 2 the input is wrong, 3 "
    "the\n"
    "hard rules contradict each other, 130 interrupted without a result.";

}  // namespace sorites
