#include "dialects/snn/Location.h"

#include "mlir/IR/BuiltinAttributes.h"

using namespace mlir;

namespace spindle::snn {

std::string placeOf(Location location) {
  if (auto file = location->findInstanceOf<FileLineColLoc>())
    return file.getFilename().str() + ":" + std::to_string(file.getLine()) + ":" +
           std::to_string(file.getColumn());
  if (auto name = location->findInstanceOf<NameLoc>())
    return name.getName().str();
  return "";
}

Location locationOf(MLIRContext &context, llvm::StringRef place) {
  auto [front, column] = place.rsplit(':');
  auto [file, line] = front.rsplit(':');
  unsigned lineNumber = 0, columnNumber = 0;
  if (!line.getAsInteger(10, lineNumber) && !column.getAsInteger(10, columnNumber))
    return FileLineColLoc::get(&context, file, lineNumber, columnNumber);
  return NameLoc::get(StringAttr::get(&context, place));
}

} // namespace spindle::snn
