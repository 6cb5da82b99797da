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

} // namespace spindle::snn
