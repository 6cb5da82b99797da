#include "core/chip/sdf/Sdf3Document.h"

#include <algorithm>

namespace spindle {

static std::string lowerFirst(std::string message) {
  if (!message.empty())
    message[0] = static_cast<char>(std::tolower(message[0]));
  return message;
}

llvm::Expected<Sdf3Document> Sdf3Document::read(const std::string &path) {
  Sdf3Document result;
  result.path = path;
  SPINDLE_ASSIGN(result.text, readFile(path));
  pugi::xml_parse_result parsed =
      result.document->load_buffer(result.text.data(), result.text.size());
  // Other encodings, which the file declares, are converted.
  size_t notUtf8 =
      parsed.encoding == pugi::encoding_utf8 ? findNotUtf8(result.text) : std::string::npos;
  if (notUtf8 != std::string::npos)
    return inputError(textPlace(path, result.text, notUtf8), "not UTF-8; save the file as UTF-8");
  if (!parsed)
    return inputError(result.placeAt(parsed.offset),
                      fmt::format("not valid XML: {}", lowerFirst(parsed.description())));
  return result;
}

std::string Sdf3Document::placeAt(ptrdiff_t offset) const {
  return textPlace(path, text, static_cast<size_t>(std::max<ptrdiff_t>(offset, 0)));
}

std::string Sdf3Document::placeOf(pugi::xml_node node) const {
  return placeAt(node.offset_debug());
}

llvm::Error Sdf3Document::checkName(pugi::xml_node node, const char *what,
                                    const std::string &name) const {
  if (findNotUtf8(name) == llvm::StringRef::npos)
    return llvm::Error::success();
  return inputError(placeOf(node), fmt::format("{} '{}', expected a name in UTF-8; leave out "
                                               "references to what is no character",
                                               what, name));
}

} // namespace spindle
