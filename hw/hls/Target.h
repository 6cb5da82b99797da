// What hardware is made for: the clock, the memories and the functional units, read from
// configs/targets/*.yaml.
#pragma once

#include "core/kernel/DeviceArea.h"
#include "core/support/Error.h"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace spindle::hls {

/// Area of one unit as the tool named in its source counts it.
struct UnitArea {
  int64_t lut = 0, ff = 0, dsp = 0;
  bool operator==(const UnitArea &) const = default;
};

/// A circuit that does one of `operations` on numbers of `type`; pipelined when interval is 1.
struct FunctionalUnit {
  std::string name;                          // of the kind: the first operation and the type
  std::string variant;                       // where the target has several of the kind
  std::vector<std::string> operations;       // as the arith and math dialects name them
  std::string type;                          // of the operands: f32, f64, i32, …
  std::vector<int64_t> operandBits;          // that it looks at, signed; empty: all of the type
  std::string module;                        // hand-written SystemVerilog in hw/rtl
  std::map<std::string, int64_t> parameters; // of the module
  unsigned latency = 1;                      // cycles from operands to result
  unsigned interval = 1;                     // cycles between two operations
  double delayInNs = 0;                      // from the inputs to the first registers
  double delayOutNs = 0;                     // from the last registers to the output
  UnitArea area;
  std::string source; // tool and model of the figures
  /// Whether it looks at all of operands of so many signed bits, in this order.
  bool fits(const std::vector<int64_t> &bits) const;
  bool operator==(const FunctionalUnit &) const = default;
};

/// Combinational delay of an operation on numbers of w bits: ns + nsPerBit * w.
struct LogicDelay {
  double ns = 0, nsPerBit = 0;
  bool operator==(const LogicDelay &) const = default;
};

/// Block RAM as every array is kept in unless it is split into registers.
struct BlockMemory {
  unsigned ports = 2;       // each reads or writes one word per cycle
  unsigned readLatency = 1; // cycles from address to data
  double delayInNs = 0;     // set-up of address and data
  double delayOutNs = 0;    // from the clock edge to the data read
  unsigned blockLuts = 0;   // LUTs that 18 Kibit stand for; 0: there is no LUT RAM
  bool operator==(const BlockMemory &) const = default;
};

/// LUTs of a bank of LUT RAM with so many reading ports: a LUT holds 32 words of one bit, 64 of
/// constants, and every two LUTs that a word may come from take half a LUT to choose.
int64_t lutRamLuts(int64_t words, int64_t bits, int64_t reads, bool isConstant);

/// Blocks of 36 Kb for `words` of `bits`: the fewest halves among the shapes of a half, 16K × 1 to
/// 1K × 18, and 512 × 36 where one port reads and one writes; with two that do both there is none.
double blocksFor(uint64_t words, uint64_t bits, bool hasTwoOfBoth);

struct Target {
  std::string name;
  std::string part;                   // for the reader
  std::optional<DeviceArea> capacity; // of the part
  unsigned lutInputs = 6;             // of a LUT, 4 or 6
  double clockPeriodNs = 10;
  BlockMemory memory;
  std::map<std::string, LogicDelay> logic; // by operation: addi, cmpi, select, …
  std::vector<FunctionalUnit> units;

  /// The unit for an operation on numbers of `type`, null where there is none. Of several the first
  /// one that looks at enough bits of both operands, which may change places, and of its
  /// variants the first; `operandBits` are the
  /// signed bits that they need, none where nothing is known of them.
  const FunctionalUnit *unitFor(const std::string &operation, const std::string &type,
                                const std::vector<int64_t> &operandBits = {}) const;
  /// LUTs that one DSP block stands for: half of those that the part has for each of its blocks; 0
  /// where nothing is known of the part.
  int64_t dspLuts() const;
  /// Delay of a combinational operation on numbers of `bits`; unknown operations cost nothing.
  double logicDelayNs(const std::string &operation, unsigned bits) const;
  /// From the address of LUT RAM to the word: the choice of the address, a LUT for 64 words, and
  /// one more level for four times as many.
  double lutRamDelayNs(int64_t words) const;

  bool operator==(const Target &) const = default;
};

/// One unit for an operation on a type and bits of operands, or several that are variants of one
/// kind; delays within the clock period. `place` stands before errors.
llvm::Error verify(const Target &target, const std::string &place = "");

/// What circuits are made for where nothing else is asked for.
inline constexpr const char *kDefaultTarget = "zynq-7020-100mhz";

/// Reads the file of a target (docs/formats/target.md), or takes the one of `configs/targets` whose
/// name is given, such as "zynq-7020-100mhz". Errors carry file:line:column.
llvm::Expected<Target> readTarget(const std::string &pathOrName);

} // namespace spindle::hls
