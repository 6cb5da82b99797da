// mlir-translate for what leaves MLIR: the rtl dialect as SystemVerilog.
#include "core/support/Error.h"
#include "dialects/rtl/SystemVerilog.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Tools/mlir-translate/MlirTranslateMain.h"
#include "mlir/Tools/mlir-translate/Translation.h"

static mlir::LogicalResult translate(mlir::ModuleOp design, llvm::raw_ostream &os) {
  auto report = [&](const spindle::SpindleError &error) { design.emitError(error.message); };
  llvm::Error error = spindle::rtl::emitSystemVerilog(design, os);
  bool isRefused = bool(error);
  llvm::handleAllErrors(std::move(error), report);
  return mlir::failure(isRefused);
}

int main(int argc, char **argv) {
  mlir::TranslateFromMLIRRegistration toSystemVerilog(
      "rtl-to-systemverilog", "print modules of the rtl dialect as SystemVerilog", translate,
      [](mlir::DialectRegistry &registry) {
        registry.insert<mlir::arith::ArithDialect, spindle::rtl::RtlDialect>();
      });
  return mlir::failed(mlir::mlirTranslateMain(argc, argv, "Spindle translation driver\n"));
}
