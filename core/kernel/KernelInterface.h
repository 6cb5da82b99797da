// How a kernel made by `spindle synth` is started, fed and read: kernel.json
// (docs/formats/kernel.md).
#pragma once

#include "core/kernel/DeviceArea.h"
#include "core/kernel/DimensionPartition.h"
#include "core/kernel/KernelArray.h"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace spindle::hls {

struct KernelArgument {
  enum class Kind { Scalar, Memory, Stream };
  uint32_t index = 0; // of the function's arguments; results that are arrays come after them
  Kind kind = Kind::Scalar;
  ElementType type;
  /// Of a stream that carries an array of the program, row-major: the array; else of none.
  std::vector<int64_t> shape;
  // Of memories:
  std::vector<DimensionPartition> partition; // per dimension
  uint32_t ports = 2;                        // per bank
  uint32_t readLatency = 1;                  // cycles from address to data
  bool isRead = true, isWritten = true;      // by the kernel; a stream is one of both

  bool isStream() const { return kind == Kind::Stream; }
  /// Whether it is an array of the program.
  bool isArray() const { return isMemory() || !shape.empty(); }
  bool isMemory() const { return kind == Kind::Memory; }
  uint64_t elements() const;
  /// Product of the dimensions' banks.
  uint32_t banks() const;
  /// Words of one bank; every bank has as many, so that some may be unused.
  uint64_t bankWords() const;
  /// Per dimension i: cyclic bank i mod f, word i / f; block of ceil(n / f) words each; complete
  /// bank i, word 0. Banks and words of all dimensions are flattened row-major.
  BankAddress place(uint64_t element) const;
  bool operator==(const KernelArgument &) const = default;
};

struct KernelInterface {
  std::string top;      // SystemVerilog module
  std::string function; // in the original program
  std::string original; // MLIR file before any transformation, beside kernel.json
  /// Argument index of the original function → its value, or its shape if it is an array.
  std::map<uint32_t, std::vector<int64_t>> bind;
  std::string target;
  double clockPeriodNs = 10;
  std::vector<std::string> sources;  // SystemVerilog files, beside kernel.json
  std::vector<std::string> contents; // files of constants that the sources read, beside it as well
  std::optional<uint64_t> predictedCycles;
  bool hasClockEnable = false;           // port `ce`
  std::vector<KernelArgument> arguments; // ascending index; bound scalars are absent
  std::vector<ElementType> results;      // scalars
  std::map<std::string, uint32_t> units; // instances by kind
  std::optional<DeviceArea> estimate;    // of the circuit without its bus, before any tool
  std::string math = "spindle";          // whose exp and pow
  /// Sums and products of floats are computed in another order than the program's: results are
  /// equal where they are exact.
  bool isReassociated = false;

  bool operator==(const KernelInterface &) const = default;
};

/// The name of a memory's port without its suffix: `arg3_b0_p1`.
std::string portName(uint32_t argument, uint32_t bank, uint32_t port);

/// An identifier of SystemVerilog without escapes.
bool isModuleName(const std::string &name);

/// Names that can be names, arguments in order and not bound, partitions that fit their shapes.
/// `place` stands before errors.
llvm::Error verify(const KernelInterface &kernel, const std::string &place);
llvm::Error writeKernelInterface(const std::string &path, const KernelInterface &kernel);
/// Reads and verifies.
llvm::Expected<KernelInterface> readKernelInterface(const std::string &path);

} // namespace spindle::hls
