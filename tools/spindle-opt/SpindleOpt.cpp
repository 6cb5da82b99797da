// mlir-opt with our dialects and passes beside all upstream ones.
#include "dialects/hls/Hls.h"
#include "dialects/rtl/Rtl.h"
#include "dialects/snn/Snn.h"
#include "dialects/snn/transforms/Passes.h"
#include "dialects/system/Passes.h"
#include "hw/hls/Passes.h"
#include "hw/hls/loops/LoopPasses.h"
#include "lib/conversion/ann-to-snn/Passes.h"
#include "lib/conversion/snn-to-loops/Passes.h"

#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/InitAllPasses.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"

int main(int argc, char **argv) {
  mlir::DialectRegistry registry;
  mlir::registerAllDialects(registry);
  mlir::registerAllExtensions(registry);
  registry.insert<spindle::hls::HlsDialect, spindle::rtl::RtlDialect, spindle::snn::SnnDialect,
                  spindle::system::SystemDialect>();
  mlir::registerAllPasses();
  spindle::snn::registerSnnPasses();
  spindle::system::registerSystemPasses();
  spindle::registerAnnToSnnPasses();
  spindle::snn_to_loops::registerSnnToLoopsPasses();
  spindle::hls::registerHlsPasses();
  spindle::hls::registerLoopPasses();
  return mlir::asMainReturnCode(
      mlir::MlirOptMain(argc, argv, "Spindle optimizer driver\n", registry));
}
