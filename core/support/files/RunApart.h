// Work that may crash or never end, in a process of its own.
#pragma once

#include "core/support/Error.h"

#include "llvm/ADT/STLFunctionalExtras.h"

#include <string>

namespace spindle {

/// Ends the process of the work with an input error, from wherever it stands.
class Refusal {
public:
  explicit Refusal(int pipe) : descriptor(pipe) {}
  [[noreturn]] void operator()(llvm::StringRef place, llvm::StringRef message) const;

private:
  int descriptor;
};

struct ApartWork {
  std::string place;    // of errors
  std::string doing;    // `the program`: the subject of errors
  std::string remedy;   // their end
  double seconds = 600; // after which it is stopped
};

/// Runs `work` in a copy of this process, which keeps whatever the work breaks, and returns the
/// bytes that the work returns. Errors: what it refuses, crashes, time. Not for processes with
/// threads that hold locks.
llvm::Expected<std::string> runApart(const ApartWork &about,
                                     llvm::function_ref<std::string(const Refusal &)> work);

} // namespace spindle
