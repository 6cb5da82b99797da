#include "tests/bench/scale/ScaleCommand.h"

#include "fmt/format.h"
#include "llvm/Support/Program.h"

#include <cstdlib>

namespace spindle::bench {

static int runPython(const std::vector<std::string> &arguments, std::string &failure) {
  std::vector<llvm::StringRef> all(arguments.begin(), arguments.end());
  return llvm::sys::ExecuteAndWait(arguments.front(), all, std::nullopt, {}, 0, 0, &failure);
}

llvm::Error benchScale(const ScaleBenchOptions &options) {
  const char *variable = std::getenv("SPINDLE_PYTHON");
  std::string python = variable ? variable : "/usr/bin/python3", failure;
  if (runPython({python, "-c", "import numpy"}, failure) != 0)
    return inputError(python, "does not run with NumPy, which draws the networks; install the "
                              "package python3-numpy, or set SPINDLE_PYTHON");
  std::string script = std::string(SPINDLE_SCALE) + "/scale-table.py";
  std::vector<std::string> arguments = {python, script, SPINDLE_TOOL};
  arguments.insert(arguments.end(), options.networks.begin(), options.networks.end());
  arguments.insert(arguments.end(), {"--out", options.folder});
  if (!options.csvPath.empty())
    arguments.insert(arguments.end(), {"--csv", options.csvPath});
  int code = runPython(arguments, failure);
  if (code != 0)
    return inputError(script, fmt::format("ends with code {}; what went wrong stands above", code));
  return llvm::Error::success();
}

} // namespace spindle::bench
