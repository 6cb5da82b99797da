// What a host needs to drive a kernel or a system behind AXI: beside axi.json, in driver/.
#pragma once

#include "core/kernel/BusInterface.h"
#include "core/kernel/KernelInterface.h"

namespace spindle::hls {

struct DriverTexts {
  std::string registers; // <top>.h: constants of C
  std::string driver;    // <top>.hpp: C++17 and its standard library (docs/formats/axi.md)
  std::string page;      // <top>.md: the registers for people
};
DriverTexts driverTexts(const KernelInterface &kernel, const BusInterface &bus);

/// Writes them to folder/driver.
llvm::Error writeDriverFiles(const std::string &folder, const KernelInterface &kernel,
                             const BusInterface &bus);

} // namespace spindle::hls
