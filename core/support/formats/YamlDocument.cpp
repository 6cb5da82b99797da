#include "core/support/formats/Yaml.h"

#include "core/support/files/File.h"
#include "core/support/formats/YamlText.h"

#include "fmt/format.h"
#include "yaml-cpp/eventhandler.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringRef.h"

#include <sstream>

namespace spindle {

namespace {

/// Deeper nesting is a mistake: an anchor that contains its own alias.
constexpr int depthLimit = 64;
/// Nodes, counted again for each alias: lists of aliases of lists of aliases grow exponentially. A
/// file of more bytes than that may have as many as bytes.
constexpr size_t nodeLimit = 1 << 20;
/// Keys are found one after the other.
constexpr size_t mostKeys = 20'000;

std::string positionIn(const std::string &name, const YAML::Mark &mark) {
  return mark.is_null() ? name : fmt::format("{}:{}:{}", name, mark.line + 1, mark.column + 1);
}

/// yaml-cpp keeps repeated keys and finds the first: refuse them. `nodes` counts those seen, `most`
/// how many there may be.
llvm::Error checkKeys(const std::string &name, const YAML::Node &node, size_t &nodes, size_t most,
                      int depth = 0) {
  if (depth > depthLimit)
    return inputError(
        positionIn(name, node.Mark()),
        fmt::format("nested deeper than {} levels, perhaps an alias of itself", depthLimit));
  if (++nodes > most)
    return inputError(name, fmt::format("holds more than {} values, aliases counted as what they "
                                        "stand for",
                                        most));
  if (node.IsSequence())
    for (const YAML::Node &element : node)
      SPINDLE_RETURN_IF_ERROR(checkKeys(name, element, nodes, most, depth + 1));
  if (!node.IsMap())
    return llvm::Error::success();
  std::map<std::string, YAML::Mark> seen;
  for (const auto &member : node) {
    YAML::Mark mark = member.first.Mark();
    if (!member.first.IsScalar())
      return inputError(positionIn(name, mark),
                        fmt::format("a key is {}, expected a word", describe(member.first)));
    const std::string &key = member.first.Scalar();
    auto [earlier, isNew] = seen.try_emplace(key, mark);
    if (!isNew)
      return inputError(positionIn(name, mark),
                        fmt::format("key '{}' is there twice, first in line {}", excerpt(key),
                                    earlier->second.line + 1));
    if (seen.size() > mostKeys)
      return inputError(positionIn(name, mark),
                        fmt::format("a mapping of more than {} keys", mostKeys));
    SPINDLE_RETURN_IF_ERROR(checkKeys(name, member.second, nodes, most, depth + 1));
  }
  return llvm::Error::success();
}

/// Takes notice only of where documents begin.
class DocumentStarts : public YAML::EventHandler {
public:
  std::vector<YAML::Mark> marks;

  void OnDocumentStart(const YAML::Mark &mark) override { marks.push_back(mark); }
  void OnDocumentEnd() override {}
  void OnNull(const YAML::Mark &, YAML::anchor_t) override {}
  void OnAlias(const YAML::Mark &, YAML::anchor_t) override {}
  void OnScalar(const YAML::Mark &, const std::string &, YAML::anchor_t,
                const std::string &) override {}
  void OnSequenceStart(const YAML::Mark &, const std::string &, YAML::anchor_t,
                       YAML::EmitterStyle::value) override {}
  void OnSequenceEnd() override {}
  void OnMapStart(const YAML::Mark &, const std::string &, YAML::anchor_t,
                  YAML::EmitterStyle::value) override {}
  void OnMapEnd() override {}
};

/// yaml-cpp 0.7 does not pass by a sign that begins no value, such as a comma, and finds a document
/// there again and again; YAML::LoadAll would not return.
llvm::Error checkOneDocument(const std::string &text, const std::string &name) {
  std::istringstream stream(text);
  YAML::Parser parser(stream);
  DocumentStarts starts;
  while (starts.marks.size() < 2 && parser.HandleNextDocument(starts)) {
  }
  if (starts.marks.size() < 2)
    return llvm::Error::success();
  if (starts.marks[0].pos == starts.marks[1].pos)
    return inputError(positionIn(name, starts.marks[0]),
                      "not valid YAML: expected a value, a list or keys");
  return inputError(name, "holds several YAML documents, expected one");
}

llvm::Expected<YAML::Node> parseOne(const std::string &text, const std::string &name) {
  if (size_t at = findNotUtf8(text); at != llvm::StringRef::npos)
    return inputError(textPlace(name, text, at), "not UTF-8; save the file as UTF-8");
  try {
    SPINDLE_RETURN_IF_ERROR(checkOneDocument(text, name));
    YAML::Node root = YAML::Load(text);
    size_t nodes = 0;
    SPINDLE_RETURN_IF_ERROR(checkKeys(name, root, nodes, std::max(nodeLimit, text.size())));
    return root;
  } catch (const YAML::Exception &error) {
    return inputError(positionIn(name, error.mark), "not valid YAML: " + excerpt(error.msg, 200));
  }
}

} // namespace

llvm::Expected<YamlDocument> YamlDocument::load(const std::string &path) {
  SPINDLE_ASSIGN(std::string text, readFile(path));
  return parse(text, path);
}

llvm::Expected<YamlDocument> YamlDocument::parse(const std::string &text, const std::string &name) {
  YamlDocument document;
  document.name = name;
  SPINDLE_ASSIGN(document.rootNode, parseOne(text, name));
  return document;
}

/// Takes a key away, where it is there.
static void removeKey(YAML::Node at, llvm::ArrayRef<llvm::StringRef> words) {
  for (llvm::StringRef word : words.drop_back()) {
    if (!at.IsMap() || !std::as_const(at)[word.str()])
      return;
    at.reset(at[word.str()]);
  }
  if (at.IsMap())
    at.remove(words.back().str());
}

llvm::Error YamlDocument::override(const std::string &assignment) {
  auto [key, value] = llvm::StringRef(assignment).split('=');
  std::string place = fmt::format("--set {}", key.str());
  llvm::SmallVector<llvm::StringRef> words;
  key.split(words, '.');
  if (!llvm::StringRef(assignment).contains('=') || llvm::is_contained(words, ""))
    return inputError(place, "expected KEY=VALUE with a dotted key, e.g. emulation.steps=16");
  if (words.size() > depthLimit)
    return inputError(excerpt(place), fmt::format("a key of {} words, expected at most {}",
                                                  words.size(), depthLimit));
  SPINDLE_ASSIGN(YAML::Node parsed, parseOne(value.str(), place));
  // An earlier override below this key is gone with the value it replaced.
  std::erase_if(overridden, [&](const auto &entry) {
    return entry.first == key || llvm::StringRef(entry.first).starts_with((key + ".").str());
  });
  if (parsed.IsNull() && !value.trim().empty()) { // null, and not an empty section
    removeKey(rootNode, words);
    return llvm::Error::success();
  }

  // Node::operator= writes through to the tree; reset() only moves the handle.
  YAML::Node at = rootNode;
  for (size_t depth = 0; depth < words.size(); ++depth) {
    if (at.IsDefined() && !at.IsNull() && !at.IsMap())
      return inputError(place, depth == 0
                                   ? fmt::format("{} is {}, not a mapping", name, describe(at))
                                   : fmt::format("'{}' is {}, not a mapping, and has no keys",
                                                 words[depth - 1].str(), describe(at)));
    at.reset(at[words[depth].str()]);
  }
  at = parsed;
  overridden[key.str()] = value.str();
  return llvm::Error::success();
}

std::string YamlDocument::placeOf(const std::string &dottedKey, const YAML::Node &node) const {
  for (const auto &[key, value] : overridden)
    if (dottedKey == key || llvm::StringRef(dottedKey).starts_with(key + ".") ||
        llvm::StringRef(dottedKey).starts_with(key + "["))
      return "--set " + key;
  return positionIn(name, node.IsDefined() ? node.Mark() : YAML::Mark::null_mark());
}

} // namespace spindle
