#include "lib/frontend/network/SynapseFile.h"

#include "core/support/files/File.h"

#include "fmt/format.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"

#include <charconv>
#include <cmath>

namespace spindle::network {

namespace {

constexpr llvm::StringLiteral kBetween = " \t\r,;";
using Words = llvm::SmallVector<llvm::StringRef, 4>;

Words wordsOf(llvm::StringRef line) {
  Words words;
  for (line = line.split('#').first.ltrim(kBetween); !line.empty(); line = line.ltrim(kBetween)) {
    words.push_back(line.substr(0, line.find_first_of(kBetween)));
    line = line.drop_front(words.back().size());
  }
  return words;
}

std::optional<double> numberOf(llvm::StringRef word) {
  word.consume_front("+");
  double value = 0;
  auto [end, status] = std::from_chars(word.begin(), word.end(), value);
  bool isNumber = status == std::errc() && end == word.end() && std::isfinite(value);
  return isNumber ? std::optional(value) : std::nullopt;
}

class Lines {
public:
  explicit Lines(const std::string &file) : path(file) {}

  llvm::Error read(llvm::StringRef text) {
    for (size_t number = 1; !text.empty(); ++number) {
      auto [line, rest] = text.split('\n');
      text = rest;
      Words words = wordsOf(line);
      bool isHeading = columns == 0 && llvm::none_of(words, [](llvm::StringRef word) {
                         return numberOf(word).has_value();
                       });
      if (isHeading) // or empty
        continue;
      SPINDLE_RETURN_IF_ERROR(add(words, fmt::format("{}:{}", path, number)));
    }
    return llvm::Error::success();
  }
  ListedSynapses synapses;

private:
  llvm::Error add(const Words &words, const std::string &place) {
    if (words.empty())
      return llvm::Error::success();
    if (columns == 0 && (words.size() < 2 || words.size() > 4))
      return inputError(place, fmt::format("a line of {} numbers, expected source and target, or "
                                           "these with weight, or with weight and delay",
                                           words.size()));
    if (columns != 0 && words.size() != columns)
      return inputError(place, fmt::format("a line of {} numbers, expected {} as in the lines "
                                           "before",
                                           words.size(), columns));
    columns = words.size();
    double numbers[4];
    for (size_t k = 0; k < columns; ++k) {
      std::optional<double> number = numberOf(words[k]);
      bool isNeuron = k < 2;
      if (!number || (isNeuron && (*number != std::floor(*number) || std::abs(*number) > 1e9)))
        return inputError(place, fmt::format("'{}', expected {}", words[k].str(),
                                             isNeuron ? "the number of a neuron" : "a number"));
      numbers[k] = *number;
    }
    synapses.pairs.sources.push_back(static_cast<int64_t>(numbers[0]));
    synapses.pairs.targets.push_back(static_cast<int64_t>(numbers[1]));
    if (columns > 2)
      synapses.weights.push_back(numbers[2]);
    if (columns > 3)
      synapses.delays.push_back(numbers[3]);
    return llvm::Error::success();
  }

  const std::string &path;
  size_t columns = 0;
};

} // namespace

llvm::Expected<ListedSynapses> readSynapses(const std::string &path) {
  SPINDLE_ASSIGN(std::string text, readMaybeGzip(path));
  Lines lines(path);
  SPINDLE_RETURN_IF_ERROR(lines.read(text));
  return std::move(lines.synapses);
}

} // namespace spindle::network
