#include "core/support/Decimal.h"

#include <charconv>

namespace spindle {

bool readDecimal(llvm::StringRef text, double &value) {
  constexpr size_t longest =
      1000; // digits for which LLVM's exact arithmetic takes no time to notice
  if (text.size() <= longest)
    return !text.getAsDouble(value);
  if (text.consume_front("+") && text.starts_with("-"))
    return false;
  auto [end, status] = std::from_chars(text.begin(), text.end(), value);
  return status == std::errc() && end == text.end();
}

} // namespace spindle
