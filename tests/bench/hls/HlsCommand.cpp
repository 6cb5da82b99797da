#include "tests/bench/hls/HlsCommand.h"

#include "core/support/files/File.h"
#include "tests/bench/hls/HlsRun.h"

#include "fmt/format.h"
#include "fmt/ranges.h"
#include "llvm/Support/FileSystem.h"

#include <algorithm>
#include <cmath>

namespace spindle::bench {

namespace {

bool contains(const std::vector<std::string> &names, const std::string &name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

/// The sets asked for, with the kernels asked for.
llvm::Expected<std::vector<HlsSet>> chosenSets(const HlsBenchOptions &options) {
  std::vector<HlsSet> chosen;
  std::vector<std::string> known;
  for (const HlsSet &set : hlsSets()) {
    known.push_back(set.name);
    if (options.sets.empty() ? set.isDefault : contains(options.sets, set.name))
      chosen.push_back(set);
  }
  for (const std::string &name : options.sets)
    if (!contains(known, name))
      return inputError("--set", fmt::format("'{}' is no set of kernels, expected one of {}", name,
                                             fmt::join(known, ", ")));
  if (options.kernels.empty())
    return chosen;
  std::vector<std::string> found;
  for (HlsSet &set : chosen) {
    std::erase_if(set.entries, [&](const HlsEntry &entry) {
      for (const std::string &name : {entry.name, entry.kernel})
        if (contains(options.kernels, name)) {
          found.push_back(name);
          return false;
        }
      return true;
    });
  }
  for (const std::string &name : options.kernels)
    if (!contains(found, name))
      return inputError("--kernel", fmt::format("no set of these has a kernel '{}'", name));
  std::erase_if(chosen, [](const HlsSet &set) { return set.entries.empty(); });
  return chosen;
}

/// Prints rows and keeps them for the file.
class KernelTable {
public:
  void header(const HlsSet &set) {
    fmt::print("{}{}\n{:24} {:>8} {:>9} {:>5} {:>3} {:>3} {:>3} {:>9} {:>7}  {}\n", set.name,
               set.source.empty() ? "" : "; published: " + set.source, "kernel", "cycles",
               "predicted", "wrong", "II", "mul", "add", "published", "ratio", "II limited by");
    logarithms = 0;
    ratios = 0;
  }
  void row(const HlsSet &set, const HlsEntry &entry, const HlsMeasurement &measured) {
    std::string predicted, published, ratio;
    if (measured.predictedCycles)
      predicted = fmt::format("{}", *measured.predictedCycles);
    if (entry.publishedCycles) {
      double share = double(measured.cycles) / double(entry.publishedCycles);
      published = fmt::format("{}", entry.publishedCycles);
      ratio = fmt::format("{:.4f}", share);
      logarithms += std::log(share);
      ++ratios;
    }
    fmt::print("{:24} {:8} {:>9} {:5} {:3} {:3} {:3} {:>9} {:>7}  {}\n", entry.name,
               measured.cycles, predicted, measured.mismatches, measured.interval,
               measured.multipliers, measured.adders, published, ratio, measured.limit);
    std::string area = ",,,";
    if (measured.area) {
      const hls::KernelArea &used = *measured.area;
      area = fmt::format("{},{},{},{}", used.lut, used.ff, used.dsp, used.bram);
      fmt::print("{:24} {} LUT, {} FF, {} DSP, {} BRAM by {}\n", "", used.lut, used.ff, used.dsp,
                 used.bram, used.tool);
    }
    std::fflush(stdout);
    csv += fmt::format("{},{},\"{}\",{},{},{},{},\"{}\",{},{},{},{},{}\n", set.name, entry.name,
                       entry.optionText(), measured.cycles, predicted, measured.mismatches,
                       measured.interval, measured.limit, measured.multipliers, measured.adders,
                       area, published, ratio);
  }
  void failed(const HlsEntry &entry, const std::string &reason) {
    fmt::print("{:24} failed: {}\n", entry.name, reason);
    std::fflush(stdout);
  }
  /// Geometric mean of the set.
  void footer() const {
    if (ratios > 0)
      fmt::print("{:24} {:.4f} of the published cycles, geometric mean of {}\n", "",
                 std::exp(logarithms / ratios), ratios);
    fmt::print("\n");
  }
  std::string csv = "set,kernel,options,cycles,predicted_cycles,mismatches,interval,limit,"
                    "multipliers,adders,lut,ff,dsp,bram,published_cycles,ratio\n";

private:
  double logarithms = 0;
  unsigned ratios = 0;
};

} // namespace

llvm::Error benchHls(const HlsBenchOptions &options) {
  SPINDLE_ASSIGN(std::vector<HlsSet> sets, chosenSets(options));
  llvm::SmallString<128> folder(options.folder);
  if (std::error_code code = llvm::sys::fs::make_absolute(folder))
    return inputError(options.folder, code.message());
  KernelTable table;
  std::vector<std::string> failures;
  for (const HlsSet &set : sets) {
    table.header(set);
    for (const HlsEntry &entry : set.entries) {
      std::string place = fmt::format("{}/{}", set.name, entry.name);
      llvm::Expected<HlsMeasurement> measured =
          runHls(entry, fmt::format("{}/{}", folder.str().str(), place), options.area);
      if (measured) {
        table.row(set, entry, *measured);
        continue;
      }
      failures.push_back(place);
      table.failed(entry, toText(measured.takeError()));
    }
    table.footer();
  }
  if (!options.csvPath.empty())
    SPINDLE_RETURN_IF_ERROR(writeFile(options.csvPath, table.csv));
  if (!failures.empty())
    return checkError("bench hls", fmt::format("failed: {}", fmt::join(failures, ", ")));
  return llvm::Error::success();
}

} // namespace spindle::bench
