#include "dialects/snn/Location.h"

#include "mlir/IR/BuiltinAttributes.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace spindle::snn {

std::string placeOf(Location location) {
  return llvm::TypeSwitch<LocationAttr, std::string>(location)
      .Case([](FileLineColLoc file) {
        return file.getFilename().str() + ":" + std::to_string(file.getLine()) + ":" +
               std::to_string(file.getColumn());
      })
      .Case([](NameLoc name) {
        std::string child = placeOf(name.getChildLoc());
        return child.empty() ? name.getName().str() : child;
      })
      .Case([](CallSiteLoc call) { return placeOf(call.getCallee()); })
      .Case([](FusedLoc fused) {
        for (Location part : fused.getLocations())
          if (std::string place = placeOf(part); !place.empty())
            return place;
        return std::string();
      })
      .Default([](LocationAttr) { return std::string(); });
}

} // namespace spindle::snn
