// Reading YAML into option structs: every key checked, every error with file:line:column.
#pragma once

#include "core/support/Error.h"

#include "yaml-cpp/yaml.h"
#include "llvm/ADT/ArrayRef.h"

#include <cstdint>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace spindle {

/// A parsed YAML file with the overrides of the command line applied.
class YamlDocument {
public:
  /// Reads and parses `path`.
  static llvm::Expected<YamlDocument> load(const std::string &path);
  /// Parses `text`; `name` stands for the file in errors.
  static llvm::Expected<YamlDocument> parse(const std::string &text, const std::string &name);

  /// Sets a dotted key, e.g. `emulation.steps=16`. Mappings on the way are made; the last call
  /// wins.
  llvm::Error override(const std::string &assignment);

  /// Where an error in the value of `dottedKey` is reported: file:line:column, or `--set key`.
  std::string placeOf(const std::string &dottedKey, const YAML::Node &node) const;

  const YAML::Node &root() const { return rootNode; }
  const std::string &fileName() const { return name; }

private:
  std::string name;
  YAML::Node rootNode;
  std::map<std::string, std::string> overridden;
};

/// Reads one mapping of a document. Members absent from the file keep the value they have; the
/// first wrong one is remembered and returned by `finish`, which also refuses keys that nobody
/// read: `mesh.yaml:4:3: error: unknown key 'colums' in tile (did you mean 'columns'?)`.
class YamlReader {
public:
  /// The top of the document, which must be a mapping.
  explicit YamlReader(const YamlDocument &document);

  void read(const std::string &key, std::string &value);
  void read(const std::string &key, bool &value);
  void read(const std::string &key, double &value,
            double least = -std::numeric_limits<double>::infinity(),
            double most = std::numeric_limits<double>::infinity());
  void read(const std::string &key, int64_t &value,
            int64_t least = std::numeric_limits<int64_t>::min(),
            int64_t most = std::numeric_limits<int64_t>::max());
  /// A list, or a single value, which becomes a list of one.
  void read(const std::string &key, std::vector<int64_t> &values);
  void read(const std::string &key, std::vector<double> &values);
  void read(const std::string &key, std::vector<std::string> &values);

  /// One word of `names`; `value` becomes its index cast to the enum, so list the names in its
  /// order.
  template <typename Enum>
  void readEnum(const std::string &key, Enum &value, llvm::ArrayRef<const char *> names) {
    if (std::optional<size_t> index = readWord(key, names))
      value = static_cast<Enum>(*index);
  }

  /// Records an error unless the key is there.
  void require(const std::string &key);
  bool has(const std::string &key) const;
  /// Whether the value under `key` is a mapping: for keys that take a value or a mapping.
  bool isMapping(const std::string &key) const;
  /// The mapping under `key`; an empty one where the key is absent. Call its `finish` too.
  YamlReader section(const std::string &key);
  /// The sequence of mappings under `key`.
  std::vector<YamlReader> sequence(const std::string &key);
  /// Every key of this mapping in file order; marks them as known.
  std::vector<std::string> keys();

  /// Records an error at the value of `key`.
  void fail(const std::string &key, const std::string &message);
  /// file:line:column of the value of `key`, or of this mapping where it is absent.
  std::string place(const std::string &key) const;

  /// The first error met by this reader or by a section of it, unknown keys included. The mark of a
  /// section is shared with its parent: calling `finish` on the top reader reports all of them.
  llvm::Error finish();

private:
  struct State;
  YamlReader(std::shared_ptr<State> shared, YAML::Node mapping, std::string dottedPath);
  std::optional<size_t> readWord(const std::string &key, llvm::ArrayRef<const char *> names);
  YAML::Node find(const std::string &key);
  std::string dotted(const std::string &key) const;
  template <typename T> bool scalar(const std::string &key, T &value, const char *expected);
  template <typename T>
  void list(const std::string &key, std::vector<T> &values, const char *expected);

  std::shared_ptr<State> state;
  YAML::Node node;
  std::string path; // dotted path of this mapping, empty at the top
};

} // namespace spindle
