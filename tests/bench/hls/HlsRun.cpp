#include "tests/bench/hls/HlsRun.h"

#include "core/kernel/CosimResult.h"
#include "core/kernel/KernelInterface.h"
#include "core/kernel/KernelSchedule.h"
#include "hw/cosim/Process.h"

#include "fmt/format.h"
#include "llvm/Support/FileSystem.h"

namespace spindle::bench {

namespace {

const std::string kPolybenchFolder = std::string(SPINDLE_ROOT) + "/tests/kernels/polybench";
const std::string kTarget = std::string(SPINDLE_ROOT) + "/configs/targets/zynq-7020-100mhz.yaml";

/// Path of the kernel; sets that are not kept are made from the templates.
llvm::Expected<std::string> programOf(const HlsEntry &entry, const std::string &folder) {
  std::string name = fmt::format("{}/{}.mlir", entry.size, entry.kernel);
  std::string kept = kPolybenchFolder + "/" + name;
  if (llvm::sys::fs::exists(kept))
    return kept;
  SPINDLE_ASSIGN(std::string python, hls::findProgram("python3", "python3"));
  SPINDLE_RETURN_IF_ERROR(hls::runProgram({python, kPolybenchFolder + "/generate.py", "--out", ".",
                                           fmt::format("{}/{}", entry.size, entry.kernel)},
                                          folder, folder + "/generate.log"));
  return folder + "/" + name;
}

unsigned countUnits(const hls::KernelInterface &kernel, const std::string &operation) {
  unsigned total = 0;
  for (const auto &[unit, count] : kernel.units)
    if (unit.rfind(operation, 0) == 0)
      total += count;
  return total;
}

} // namespace

llvm::Expected<HlsMeasurement> runHls(const HlsEntry &entry, const std::string &folder,
                                      bool withArea) {
  if (std::error_code code = llvm::sys::fs::create_directories(folder))
    return inputError(folder, fmt::format("cannot create the folder: {}", code.message()));
  SPINDLE_ASSIGN(std::string program, programOf(entry, folder));
  std::vector<std::string> synth = {SPINDLE_TOOL, "synth", program, "--target",
                                    kTarget,      "--out", "."};
  synth.insert(synth.end(), entry.options.begin(), entry.options.end());
  if (entry.isReassociated)
    synth.push_back("--reassociate");
  std::vector<std::string> cosim = {SPINDLE_TOOL, "cosim", ".", "--inputs", entry.inputs()};
  SPINDLE_RETURN_IF_ERROR(hls::runProgram(synth, folder, folder + "/synth.log"));
  SPINDLE_RETURN_IF_ERROR(hls::runProgram(cosim, folder, folder + "/cosim.log"));

  HlsMeasurement measured;
  SPINDLE_ASSIGN(hls::KernelInterface kernel, hls::readKernelInterface(folder + "/kernel.json"));
  measured.predictedCycles = kernel.predictedCycles;
  measured.multipliers = countUnits(kernel, "mul");
  measured.adders = countUnits(kernel, "add");
  SPINDLE_ASSIGN(hls::KernelSchedule schedule, hls::readKernelSchedule(folder + "/schedule.json"));
  if (const hls::ScheduledPipeline *longest = hls::longestPipeline(schedule)) {
    measured.interval = longest->interval;
    measured.limit = hls::limitText(*longest);
  }
  SPINDLE_ASSIGN(hls::CosimResult simulated, hls::readCosimResult(folder + "/cosim.json"));
  measured.cycles = simulated.cycles.value_or(0);
  measured.mismatches = simulated.mismatches;
  if (withArea) {
    SPINDLE_RETURN_IF_ERROR(
        hls::runProgram({SPINDLE_TOOL, "area", "."}, folder, folder + "/area.log"));
    SPINDLE_ASSIGN(measured.area, hls::readKernelArea(folder + "/area.json"));
  }
  return measured;
}

} // namespace spindle::bench
