#include "hw/system/JoinDesigns.h"

namespace spindle::hls {

/// The declarations but for their name.
static bool isSameModule(rtl::ExternOp a, rtl::ExternOp b) {
  auto rest = [](rtl::ExternOp op) {
    mlir::NamedAttrList attributes(op->getAttrDictionary());
    attributes.erase(op.getSymNameAttrName());
    return attributes.getDictionary(op.getContext());
  };
  return a.getVerilogName() == b.getVerilogName() && rest(a) == rest(b);
}

void joinDesign(mlir::ModuleOp into, mlir::ModuleOp from) {
  mlir::OwningOpRef<mlir::ModuleOp> copy = from.clone();
  for (auto declared : llvm::make_early_inc_range(copy->getOps<rtl::ExternOp>())) {
    std::string stem = declared.getSymName().str(), name = stem;
    rtl::ExternOp known;
    for (unsigned suffix = 1;; ++suffix) {
      known = into.lookupSymbol<rtl::ExternOp>(name);
      if (known ? isSameModule(known, declared) : name == stem || !copy->lookupSymbol(name))
        break;
      name = stem + "_" + std::to_string(suffix);
    }
    if (name != stem) {
      auto renamed = mlir::StringAttr::get(copy->getContext(), name);
      (void)mlir::SymbolTable::replaceAllSymbolUses(declared.getOperation(), renamed,
                                                    copy->getOperation());
      declared.setSymName(name);
    }
    if (known)
      declared.erase();
  }
  into.getBody()->getOperations().splice(into.getBody()->end(), copy->getBody()->getOperations());
}

} // namespace spindle::hls
