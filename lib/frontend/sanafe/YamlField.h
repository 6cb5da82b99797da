// Values of the files of SANA-FE, with their places. Private to this folder.
#pragma once

#include "core/support/formats/Yaml.h"

#include <string>
#include <vector>

namespace spindle::sanafe {

/// A value of a document. Errors are at its place.
class Field {
public:
  Field(const YamlDocument &file, YAML::Node value, std::string title)
      : document(&file), node(std::move(value)), name(std::move(title)) {}
  Field(const Field &) = default;
  Field &operator=(const Field &other) { // that of YAML::Node would change the document
    document = other.document;
    node.reset(other.node);
    name = other.name;
    return *this;
  }

  std::string place() const { return document->placeOf("", node); }
  llvm::Error fail(const std::string &message) const { return inputError(place(), message); }
  /// What it is, for errors.
  const std::string &title() const { return name; }
  Field called(std::string title) const { return Field(*document, node, std::move(title)); }

  bool isMap() const { return node.IsMap(); }
  bool isList() const { return node.IsSequence(); }
  bool isScalar() const { return node.IsScalar(); }
  bool isEmpty() const { return !node.IsDefined() || node.IsNull(); }
  const std::string &text() const { return node.Scalar(); }

  bool has(const std::string &key) const { return node.IsMap() && node[key].IsDefined(); }
  /// The value of a key; an error where it is not there.
  llvm::Expected<Field> at(const std::string &key) const;
  /// Elements of a list, or the value itself where it is none: SANA-FE takes both.
  std::vector<Field> elements() const;
  /// Keys and values of a mapping, or of a list of mappings, which means the same in these files.
  llvm::Expected<std::vector<std::pair<std::string, Field>>> members() const;

  llvm::Expected<double> number() const;
  /// From `least` to `most`.
  llvm::Expected<int64_t> whole(int64_t least, int64_t most) const;
  llvm::Expected<bool> flag() const;

private:
  const YamlDocument *document;
  YAML::Node node;
  std::string name;
};

/// `name[3..7]`, `3..7` or `name`.
struct IndexRange {
  std::string name;
  uint32_t first = 0, last = 0;
  bool isRange = false;
  uint32_t count() const { return last - first + 1; }
};

/// Refuses ranges of more than `most` members.
llvm::Expected<IndexRange> parseRange(const Field &field, const std::string &text, uint32_t most);

} // namespace spindle::sanafe
