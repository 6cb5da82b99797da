// The XML of a file of SDF3, with places for errors.
#pragma once

#include "core/support/TextPlace.h"
#include "core/support/files/File.h"

#include "fmt/format.h"
#include "pugixml.hpp"
#include "llvm/ADT/StringRef.h"

#include <limits>
#include <memory>

namespace spindle {

/// A parsed file. Places are file:line:column, in the encoding of the file.
class Sdf3Document {
public:
  /// Errors: it cannot be read, is no valid XML, or no text.
  static llvm::Expected<Sdf3Document> read(const std::string &path);

  const std::string &file() const { return path; }
  pugi::xml_node root() const { return document->child("sdf3"); }
  std::string placeOf(pugi::xml_node node) const;

  /// A whole number in an attribute, from `least` to the largest of its type.
  template <typename Integer>
  llvm::Expected<Integer> number(pugi::xml_node node, const char *attribute, Integer least) const {
    llvm::StringRef value = node.attribute(attribute).as_string();
    Integer result = 0;
    if (value.getAsInteger(10, result) || result < least)
      return inputError(placeOf(node), fmt::format("{} '{}', expected a whole number from {} to {}",
                                                   attribute, value.take_front(80).str(), least,
                                                   std::numeric_limits<Integer>::max()));
    return result;
  }

  /// Of names that are written to files. References such as `&#xD800;` make what is no text of a
  /// file in UTF-8.
  llvm::Error checkName(pugi::xml_node node, const char *what, const std::string &name) const;

private:
  std::string placeAt(ptrdiff_t offset) const;

  std::string path, text;
  std::unique_ptr<pugi::xml_document> document = std::make_unique<pugi::xml_document>();
};

} // namespace spindle
