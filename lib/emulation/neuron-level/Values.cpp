#include "lib/emulation/neuron-level/Values.h"

#include "fmt/format.h"
#include "fmt/ranges.h"

#include <functional>
#include <numeric>

namespace spindle::neuron_level {

size_t sizeOf(const Shape &shape) {
  return static_cast<size_t>(
      std::accumulate(shape.begin(), shape.end(), int64_t(1), std::multiplies<>()));
}

std::string text(const Shape &shape) { return fmt::format("{}", fmt::join(shape, "x")); }

llvm::Error dataError(std::string message) { return inputError("", std::move(message)); }

llvm::Error placed(llvm::Error error, const std::string &place) {
  return llvm::handleErrors(std::move(error),
                            [&](std::unique_ptr<SpindleError> problem) -> llvm::Error {
                              if (problem->place.empty())
                                problem->place = place;
                              return llvm::Error(std::move(problem));
                            });
}

} // namespace spindle::neuron_level
