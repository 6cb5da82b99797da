// Yosys on the sources of one kernel.
#pragma once

#include "core/kernel/KernelInterface.h"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace spindle::hls {

using CellCounts = std::map<std::string, uint64_t>; // by type of cell

/// Scripts, logs and results lie in folder/area.
class Yosys {
public:
  Yosys(std::string program, std::string kernelFolder, const KernelInterface &interface)
      : yosys(std::move(program)), folder(std::move(kernelFolder)), kernel(interface) {}

  /// Runs the commands after the design is read; `log` names script and log. Errors: those of
  /// Yosys.
  llvm::Error run(const std::vector<std::string> &commands, const std::string &log) const;
  /// The same with another module over that of the kernel: it is `top`, in the file `wrapper` of
  /// folder/area.
  llvm::Error runWrapped(const std::string &wrapper, const std::string &top,
                         const std::vector<std::string> &commands, const std::string &log) const;
  std::string file(const std::string &name) const { return folder + "/area/" + name; }
  std::string workFolder() const { return folder + "/area"; }
  const std::string &top() const { return kernel.top; }

private:
  llvm::Error runScript(const std::string &script, const std::string &log) const;
  std::string readSources() const;

  std::string yosys, folder;
  const KernelInterface &kernel;
};

/// Writes what abc and others need of a library of cells (.lib, .lib.gz) to folder/area:
/// library.lib and library.constr.
llvm::Error copyLibrary(const Yosys &yosys, const std::string &liberty);

/// µm² of the whole design, in the table that `stat -liberty` wrote.
llvm::Expected<double> areaIn(const std::string &table, const std::string &liberty);

/// Of the flattened top module, from what `stat -json` wrote.
llvm::Expected<CellCounts> cellsIn(const std::string &path);

} // namespace spindle::hls
