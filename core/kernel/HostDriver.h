// What a host needs to drive a kernel or a system behind AXI: beside axi.json, in driver/.
#pragma once

#include "core/kernel/BusInterface.h"
#include "core/kernel/KernelInterface.h"

namespace spindle::hls {

/// What arguments are for people, by name (`arg0`), where more is known than their types.
using ArgumentMeanings = std::map<std::string, std::string>;

struct DriverTexts {
  std::string registers; // <top>.h: constants of C
  std::string driver;    // <top>.hpp: C++17 and its standard library (docs/formats/axi.md)
  std::string page;      // <top>.md: the registers and streams for people
};
DriverTexts driverTexts(const KernelInterface &kernel, const BusInterface &bus,
                        const ArgumentMeanings &meanings = {});

/// Writes them to folder/driver.
llvm::Error writeDriverFiles(const std::string &folder, const KernelInterface &kernel,
                             const BusInterface &bus, const ArgumentMeanings &meanings = {});

} // namespace spindle::hls
