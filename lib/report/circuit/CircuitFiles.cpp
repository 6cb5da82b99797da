#include "lib/report/circuit/CircuitFiles.h"

#include "core/kernel/KernelInterface.h"
#include "core/run/StageFileNames.h"

#include "fmt/format.h"

#include <filesystem>

namespace spindle {

namespace fs = std::filesystem;

llvm::Expected<CircuitFiles> readCircuitFiles(const std::string &folder) {
  CircuitFiles files;
  std::error_code ignored;
  auto has = [&](const char *name) { return fs::exists(fs::path(folder) / name, ignored); };
  if (has("kernel.json")) {
    SPINDLE_ASSIGN(hls::KernelInterface kernel, hls::readKernelInterface(folder + "/kernel.json"));
    files.estimate = kernel.estimate;
  }
  if (has("cosim.json")) {
    SPINDLE_ASSIGN(files.cosim, hls::readCosimResult(folder + "/cosim.json"));
  }
  if (has("area.json")) {
    SPINDLE_ASSIGN(files.area, hls::readKernelArea(folder + "/area.json"));
  }
  return files;
}

llvm::Expected<std::optional<Int8Ann>> readInt8Ann(const std::string &folder,
                                                   const std::optional<AnnEvaluation> &ann) {
  fs::path own = fs::path(folder) / kInt8Folder;
  auto path = [&](const char *name) { return (own / name).string(); };
  std::error_code ignored;
  if (!fs::exists(own / run::kHardware, ignored) || !fs::exists(own / run::kEmulation, ignored) ||
      !fs::exists(own / run::kAnn, ignored))
    return std::nullopt;
  SPINDLE_ASSIGN(AnnEvaluation network, readAnnEvaluation(path(run::kAnn)));
  if (network != ann)
    return inputError(path(run::kAnn),
                      fmt::format("found another network or other samples than in {}, expected the "
                                  "ANN of the same run; make it again, or remove {}",
                                  (fs::path(folder) / run::kAnn).string(), own.string()));
  Int8Ann made;
  SPINDLE_ASSIGN(made.emulation, readEmulationSummary(path(run::kEmulation)));
  SPINDLE_ASSIGN(made.hardware, readHardwareNetwork(path(run::kHardware)));
  SPINDLE_ASSIGN(made.circuit,
                 readCircuitFiles(fs::path(path(run::kHardware)).parent_path().string()));
  return made;
}

} // namespace spindle
