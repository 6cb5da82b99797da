#include "lib/frontend/sanafe/YamlField.h"

#include "core/support/Decimal.h"
#include "core/support/TextPlace.h"

#include "fmt/format.h"
#include "llvm/ADT/StringRef.h"

#include <cmath>

namespace spindle::sanafe {

static std::string kindOf(const YAML::Node &node) {
  if (node.IsMap())
    return "a mapping";
  if (node.IsSequence())
    return "a list";
  return node.IsScalar() ? fmt::format("'{}'", excerpt(node.Scalar(), 40)) : "empty";
}

llvm::Expected<Field> Field::at(const std::string &key) const {
  if (!has(key))
    return fail(fmt::format("{} has no key '{}', which SANA-FE needs", name, key));
  return Field(*document, node[key], fmt::format("{} of {}", key, name));
}

std::vector<Field> Field::elements() const {
  std::vector<Field> result;
  if (!node.IsSequence())
    return {*this};
  for (const YAML::Node &element : node)
    result.emplace_back(*document, element, name);
  return result;
}

llvm::Expected<std::vector<std::pair<std::string, Field>>> Field::members() const {
  std::vector<std::pair<std::string, Field>> result;
  for (const Field &part : elements()) {
    if (part.isEmpty())
      continue;
    if (!part.isMap())
      return part.fail(fmt::format("{} is {}, expected a mapping", name, kindOf(part.node)));
    for (const auto &member : part.node) {
      const std::string &key = member.first.Scalar();
      result.emplace_back(
          key, Field(*document, member.second, fmt::format("{} of {}", excerpt(key, 40), name)));
    }
  }
  return result;
}

llvm::Expected<double> Field::number() const {
  double value = 0;
  if (!isScalar() || !readDecimal(text(), value) || !std::isfinite(value))
    return fail(fmt::format("{} is {}, expected a number", name, kindOf(node)));
  return value;
}

llvm::Expected<int64_t> Field::whole(int64_t least, int64_t most) const {
  int64_t value = 0;
  if (!isScalar() || llvm::StringRef(text()).getAsInteger(10, value) || value < least ||
      value > most)
    return fail(fmt::format("{} is {}, expected a whole number from {} to {}", name, kindOf(node),
                            least, most));
  return value;
}

llvm::Expected<bool> Field::flag() const {
  std::string word = isScalar() ? llvm::StringRef(text()).lower() : "";
  for (auto [known, value] : {std::pair{"true", true}, {"1", true}, {"false", false}, {"0", false}})
    if (word == known)
      return value;
  return fail(fmt::format("{} is {}, expected true or false", name, kindOf(node)));
}

llvm::Expected<IndexRange> parseRange(const Field &field, const std::string &text, uint32_t most) {
  llvm::StringRef name = text, inside = text;
  IndexRange range;
  if (size_t bracket = name.find('['); bracket != llvm::StringRef::npos) {
    inside = name.substr(bracket + 1).split(']').first;
    name = name.take_front(bracket);
  } else if (name.contains("..")) {
    name = "";
  }
  range.name = name.str();
  if (!inside.contains("..")) {
    range.name = text;
    return range;
  }
  auto [first, last] = inside.split("..");
  if (first.trim().getAsInteger(10, range.first) || last.trim().getAsInteger(10, range.last) ||
      range.first > range.last || range.last - range.first >= most)
    return field.fail(
        fmt::format("'{}' is no range of at most {} that SANA-FE reads, expected as in "
                    "{}[0..7]",
                    excerpt(text, 40), most, range.name));
  range.isRange = true;
  return range;
}

} // namespace spindle::sanafe
