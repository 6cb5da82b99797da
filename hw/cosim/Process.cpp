#include "hw/cosim/Process.h"

#include "core/support/files/File.h"

#include "fmt/format.h"
#include "fmt/ranges.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Program.h"

#include <filesystem>

namespace spindle::hls {

llvm::Expected<std::string> findProgram(const std::string &name, const std::string &package) {
  if (llvm::ErrorOr<std::string> path = llvm::sys::findProgramByName(name))
    return *path;
  return inputError(name,
                    fmt::format("not found, expected it in PATH; install the package {}", package));
}

/// Lines with `rror`, or the last ones where there are none.
static std::string reasonIn(const std::string &text) {
  constexpr size_t most = 5;
  std::vector<std::string> all, errors;
  for (llvm::StringRef line : llvm::split(llvm::StringRef(text).trim(), '\n')) {
    all.push_back(line.str());
    if (line.contains("rror") && errors.size() < most)
      errors.push_back(line.str());
  }
  if (errors.empty())
    errors.assign(all.end() - std::ptrdiff_t(std::min(all.size(), most)), all.end());
  return fmt::format("{}", fmt::join(errors, "\n"));
}

llvm::Error runProgram(const std::vector<std::string> &words, const std::string &folder,
                       const std::string &log) {
  SPINDLE_ASSIGN(std::string shell, findProgram("sh", "dash"));
  // The shell changes the folder: relative names keep compiler caches valid everywhere. An absolute
  // one is no option of cd.
  std::string place = std::filesystem::absolute(folder).string();
  std::vector<llvm::StringRef> line = {shell, "-c", "cd \"$1\" && shift && exec \"$@\"", "sh",
                                       place};
  line.insert(line.end(), words.begin(), words.end());
  std::string message;
  int status = llvm::sys::ExecuteAndWait(shell, line, std::nullopt, {llvm::StringRef(), log, log},
                                         0, 0, &message);
  if (status == 0)
    return llvm::Error::success();
  SPINDLE_ASSIGN(std::string text, readFile(log));
  std::string reason = message.empty() ? reasonIn(text) : message;
  return checkError(log, fmt::format("{} failed: {}", words[0], reason));
}

} // namespace spindle::hls
