#include "hw/hls/prepare/Bindings.h"

#include "llvm/ADT/SmallVector.h"

namespace spindle::hls {

static llvm::Error refuse(llvm::StringRef part) {
  return inputError("--bind",
                    "'" + part.str() + "': expected ARGUMENT=VALUE or ARGUMENT=NxM, such as 0=20");
}

llvm::Expected<Bindings> parseBindings(llvm::StringRef text) {
  Bindings bindings;
  llvm::SmallVector<llvm::StringRef> parts;
  text.split(parts, ',', -1, /*KeepEmpty=*/false);
  for (llvm::StringRef part : parts) {
    auto [index, value] = part.trim().split('=');
    unsigned argument;
    llvm::SmallVector<llvm::StringRef> numbers;
    value.split(numbers, 'x');
    if (index.trim().getAsInteger(10, argument))
      return refuse(part);
    auto [entry, isNew] = bindings.try_emplace(argument);
    if (!isNew)
      return inputError("--bind", "argument " + std::to_string(argument) + " is bound twice");
    for (llvm::StringRef number : numbers)
      if (number.trim().getAsInteger(10, entry->second.emplace_back()))
        return refuse(part);
    if (numbers.size() > 1 &&
        llvm::any_of(entry->second, [](int64_t extent) { return extent < 1; }))
      return inputError("--bind",
                        "'" + part.str() +
                            "': an array without elements, expected extents of at least 1");
  }
  return bindings;
}

} // namespace spindle::hls
