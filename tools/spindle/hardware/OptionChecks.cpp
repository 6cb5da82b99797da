#include "tools/spindle/hardware/OptionChecks.h"

#include "fmt/format.h"
#include "llvm/ADT/StringRef.h"

#include <cmath>

namespace spindle {

CLI::Validator secondsFromZero() {
  auto check = [](std::string &text) -> std::string {
    double seconds = 0;
    if (CLI::detail::lexical_cast(text, seconds) && std::isfinite(seconds) && seconds >= 0)
      return "";
    return fmt::format("'{}', expected a number of seconds from 0", text);
  };
  return CLI::Validator(check, "NONNEGATIVE");
}

CLI::Validator countFromZero() {
  auto check = [](std::string &text) -> std::string {
    uint64_t count = 0;
    if (!llvm::StringRef(text).getAsInteger(0, count))
      return "";
    return fmt::format("'{}', expected a whole number from 0 to {}", text, UINT64_MAX);
  };
  return CLI::Validator(check, "NONNEGATIVE");
}

} // namespace spindle
