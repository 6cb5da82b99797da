#include "lib/frontend/network/SynapseFile.h"

#include "core/support/files/File.h"

#include "fmt/format.h"
#include "fmt/ranges.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"

#include <charconv>
#include <cmath>
#include <set>

namespace spindle::network {

namespace {

constexpr llvm::StringLiteral kBetween = " \t\r,;";
using Words = llvm::SmallVector<llvm::StringRef, 4>;

/// Words may stand in quotes, as in tables that quote every field.
Words wordsOf(llvm::StringRef line) {
  Words words;
  for (line = line.ltrim(kBetween); !line.empty(); line = line.ltrim(kBetween)) {
    llvm::StringRef word = line.substr(0, line.find_first_of(kBetween));
    line = line.drop_front(word.size());
    for (llvm::StringRef quote : {"\"", "'"})
      if (word.size() > 2 && word.starts_with(quote) && word.ends_with(quote))
        word = word.drop_front().drop_back();
    words.push_back(word);
  }
  return words;
}

enum Column { Source, Target, Weight, Delay };
constexpr const char *kColumnNames[] = {"source", "target", "weight", "delay"};

std::optional<Column> columnOf(llvm::StringRef name) {
  return llvm::StringSwitch<std::optional<Column>>(name.lower())
      .Cases({"i", "pre", "pre_id", "source", "source_id", "src", "from", "sender"}, Source)
      .Cases({"j", "post", "post_id", "target", "target_id", "tgt", "to", "receiver"}, Target)
      .Cases({"weight", "weights", "w"}, Weight)
      .Cases({"delay", "delays", "d"}, Delay)
      .Default(std::nullopt);
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
    text.consume_front("\xef\xbb\xbf"); // what some programs write before UTF-8
    for (size_t number = 1; !text.empty(); ++number) {
      auto [line, rest] = text.split('\n');
      text = rest;
      auto [content, comment] = line.split('#');
      Words words = wordsOf(content);
      std::string place = fmt::format("{}:{}", path, number);
      bool isHeading = columns == 0 && llvm::none_of(words, [](llvm::StringRef word) {
                         return numberOf(word).has_value();
                       });
      if (!isHeading) {
        SPINDLE_RETURN_IF_ERROR(add(words, place));
      } else if (!words.empty()) {
        readHeading(words, /*isComment=*/false, place);
      } else if (columns == 0) {
        readComment(comment, place);
      }
    }
    return llvm::Error::success();
  }
  ListedSynapses synapses;

private:
  /// PyNN names its columns in a comment, `# columns = ["i", "j", …]`, NumPy in one of names alone.
  void readComment(llvm::StringRef comment, const std::string &place) {
    llvm::StringRef list = comment.trim();
    bool isNamed = list.consume_front("columns") && (list = list.ltrim()).consume_front("=");
    std::string names = isNamed ? list.trim(" \t\r[]()").str() : comment.str();
    readHeading(wordsOf(names), !isNamed, place);
  }

  /// Units stand in brackets behind the names. The last heading before the numbers counts.
  void readHeading(const Words &words, bool isComment, const std::string &place) {
    Words names;
    for (llvm::StringRef word : words)
      if (!word.starts_with("[") && !word.starts_with("("))
        names.push_back(word);
    std::vector<std::optional<Column>> found;
    for (llvm::StringRef name : names)
      found.push_back(columnOf(name));
    bool isAll = llvm::all_of(found, [](auto column) { return column.has_value(); });
    if (names.empty() || (isComment && (!isAll || names.size() < 2)))
      return;
    heading = std::move(found);
    headingText = fmt::format("{}", fmt::join(names, ", "));
    headingPlace = place;
  }

  /// The order of the columns. Words that are not known say nothing, and neither does a text of
  /// other length; known ones that are not where they are without a heading need all others.
  llvm::Error settleOrder(size_t count) {
    order.assign({Source, Target, Weight, Delay});
    if (heading.size() != count)
      return llvm::Error::success();
    bool isUsual = true, isAll = true;
    std::set<Column> each;
    for (size_t k = 0; k < count; ++k) {
      isAll = isAll && heading[k].has_value();
      isUsual = isUsual && (!heading[k] || *heading[k] == order[k]);
      if (heading[k])
        each.insert(*heading[k]);
    }
    if (isUsual)
      return llvm::Error::success();
    if (!isAll || each.size() != count || !each.count(Source) || !each.count(Target))
      return inputError(headingPlace,
                        fmt::format("the columns are {}, expected {}, the last two where the file "
                                    "has them, each once in any order",
                                    headingText, fmt::join(kColumnNames, ", ")));
    for (size_t k = 0; k < count; ++k)
      order[k] = *heading[k];
    return llvm::Error::success();
  }

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
    if (columns == 0)
      SPINDLE_RETURN_IF_ERROR(settleOrder(words.size()));
    columns = words.size();
    double numbers[4];
    for (size_t k = 0; k < columns; ++k) {
      std::optional<double> number = numberOf(words[k]);
      bool isNeuron = order[k] == Source || order[k] == Target;
      if (!number || (isNeuron && (*number != std::floor(*number) || std::abs(*number) > 1e9)))
        return inputError(place, fmt::format("'{}', expected {}", words[k].str(),
                                             isNeuron ? "the number of a neuron" : "a number"));
      numbers[order[k]] = *number;
    }
    auto has = [&](Column column) {
      return llvm::is_contained(llvm::ArrayRef(order).take_front(columns), column);
    };
    synapses.pairs.sources.push_back(static_cast<int64_t>(numbers[Source]));
    synapses.pairs.targets.push_back(static_cast<int64_t>(numbers[Target]));
    if (has(Weight))
      synapses.weights.push_back(numbers[Weight]);
    if (has(Delay))
      synapses.delays.push_back(numbers[Delay]);
    return llvm::Error::success();
  }

  const std::string &path;
  size_t columns = 0;
  std::vector<std::optional<Column>> heading; // nothing for words that are not known
  std::string headingText, headingPlace;
  std::vector<Column> order; // of the columns, once a line has come
};

} // namespace

llvm::Expected<ListedSynapses> readSynapses(const std::string &path) {
  SPINDLE_ASSIGN(std::string text, readMaybeGzip(path));
  Lines lines(path);
  SPINDLE_RETURN_IF_ERROR(lines.read(text));
  return std::move(lines.synapses);
}

} // namespace spindle::network
