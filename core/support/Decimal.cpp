#include "core/support/Decimal.h"

#include <charconv>

namespace spindle {

bool readDecimal(llvm::StringRef text, double &value) {
  constexpr size_t few = 1000; // for which LLVM's exact arithmetic takes no time to notice
  if (text.size() <= few)
    return !text.getAsDouble(value);
  if (text.consume_front("+") && text.starts_with("-"))
    return false;
  auto [end, status] = std::from_chars(text.begin(), text.end(), value);
  return status == std::errc() && end == text.end();
}

} // namespace spindle
