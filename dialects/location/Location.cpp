#include "dialects/location/Location.h"

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/Operation.h"

using namespace mlir;

namespace spindle {

std::string placeOf(Location location) {
  if (auto file = location->findInstanceOf<FileLineColLoc>())
    return file.getFilename().str() + ":" + std::to_string(file.getLine()) + ":" +
           std::to_string(file.getColumn());
  if (auto name = location->findInstanceOf<NameLoc>())
    return name.getName().str();
  return "";
}
std::string placeOf(Operation *op) { return placeOf(op->getLoc()); }

std::string filePlaceOf(Location location) {
  auto file = location->findInstanceOf<FileLineColLoc>();
  if (!file)
    return "";
  return file.getLine() == 0 ? file.getFilename().str() : placeOf(file);
}
std::string filePlaceOf(Operation *op) { return filePlaceOf(op->getLoc()); }

Location locationOf(MLIRContext &context, llvm::StringRef place) {
  auto [front, column] = place.rsplit(':');
  auto [file, line] = front.rsplit(':');
  unsigned lineNumber = 0, columnNumber = 0;
  if (!line.getAsInteger(10, lineNumber) && !column.getAsInteger(10, columnNumber))
    return FileLineColLoc::get(&context, file, lineNumber, columnNumber);
  return NameLoc::get(StringAttr::get(&context, place));
}

} // namespace spindle
