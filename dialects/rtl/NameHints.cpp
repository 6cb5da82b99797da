#include "dialects/rtl/NameHints.h"

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/Operation.h"

using namespace mlir;

namespace spindle::rtl {

NameHint nameHint(Location location) {
  auto name = location->findInstanceOf<NameLoc>();
  if (!name)
    return {};
  return {name.getName().getValue(), isa<NameLoc>(location)};
}

NameHint nameHint(Value value) {
  Operation *op = value.getDefiningOp();
  return op ? nameHint(op->getLoc()) : NameHint();
}

Location withoutNames(Location location) {
  auto place = location->findInstanceOf<FileLineColRange>();
  return place ? Location(place) : UnknownLoc::get(location.getContext());
}

Location withName(Location location, NameHint hint) {
  MLIRContext *context = location.getContext();
  Location named = NameLoc::get(StringAttr::get(context, hint.name), withoutNames(location));
  return hint.isValue ? named : FusedLoc::get({named}, StringAttr::get(context, "part"), context);
}

} // namespace spindle::rtl
