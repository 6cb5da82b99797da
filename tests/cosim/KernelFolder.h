// Hand-written kernels as `synth` would leave them.
#pragma once

#include "core/kernel/KernelInterface.h"
#include "core/support/files/File.h"
#include "core/support/formats/Npz.h"
#include "tests/support/TemporaryFolder.h"

#include "llvm/Support/Program.h"

namespace spindle::hls {

inline bool hasVerilator() {
  return bool(llvm::sys::findProgramByName("verilator")) &&
         bool(llvm::sys::findProgramByName("make"));
}

inline KernelArgument memoryArgument(uint32_t index, const char *type, std::vector<int64_t> shape,
                                     std::vector<DimensionPartition> partition) {
  KernelArgument argument;
  argument.index = index;
  argument.kind = KernelArgument::Kind::Memory;
  argument.type = *parseElementType(type);
  argument.shape = std::move(shape);
  argument.partition = std::move(partition);
  return argument;
}

inline KernelArgument scalarArgument(uint32_t index, const char *type) {
  KernelArgument argument;
  argument.index = index;
  argument.type = *parseElementType(type);
  return argument;
}

inline KernelInterface interfaceOf(const std::string &top, uint64_t cycles) {
  KernelInterface kernel;
  kernel.top = kernel.function = top;
  kernel.original = top + ".mlir";
  kernel.sources = {top + ".sv"};
  kernel.target = "none";
  kernel.predictedCycles = cycles;
  return kernel;
}

/// kernels/scale.sv
inline KernelInterface scaleKernel() {
  KernelInterface kernel = interfaceOf("scale", 14);
  kernel.arguments = {memoryArgument(0, "i32", {12}, {{}}), scalarArgument(1, "i32"),
                      scalarArgument(2, "i32")};
  return kernel;
}

/// kernels/banked_sum.sv
inline KernelInterface bankedSumKernel() {
  KernelInterface kernel = interfaceOf("banked_sum", 6);
  kernel.bind = {{0, {7}}, {1, {7}}};
  kernel.hasClockEnable = true;
  kernel.arguments = {memoryArgument(0, "i16", {7}, {{DimensionPartition::Kind::Cyclic, 2}})};
  kernel.results = {*parseElementType("i16")};
  return kernel;
}

/// Writes the interface and copies the sources and the program.
inline void writeKernel(const TemporaryFolder &folder, const KernelInterface &kernel) {
  std::vector<std::string> files = kernel.sources;
  files.push_back(kernel.original);
  for (const std::string &file : files)
    folder.write(file, llvm::cantFail(readFile("tests/cosim/kernels/" + file)));
  llvm::cantFail(writeKernelInterface(folder / "kernel.json", kernel));
}

} // namespace spindle::hls
