// Arguments to run a kernel on: random ones, or those of a file.
#pragma once

#include "core/kernel/KernelInterface.h"
#include "hw/program/Golden.h"

namespace spindle::hls {

/// How floats are drawn. Integers are small (-8 to 8) or any, half of them each; those that become
/// indices lie within every dimension of every array.
enum class InputKind {
  Uniform,  // -2 to 2
  Positive, // 0.5 to 2
  Definite, // square matrices symmetric and positive definite, the others positive
  Integers  // whole numbers from -2 to 2, whose sums and products are exact in any order
};

/// The words of the command line for InputKind.
constexpr const char *inputKindNames[] = {"uniform", "positive", "spd", "integers"};

/// An argument of the program, and what is known of it.
struct ProgramArgument {
  ElementType type;
  bool isArray = false;
  std::vector<int64_t> shape; // open for streams: as many tokens as there are
  bool isStream = false, isRead = true;
  bool isIndex = false;              // or becomes one
  std::optional<int64_t> bound = {}; // the value that synthesis gave it
  bool isResult = false;             // an array that the function returns
  bool operator==(const ProgramArgument &) const = default;
};

/// What golden values, interface and program agree on. `isIndex` as usedAsIndex says, for the
/// arguments of the function before results became arguments. Errors, at `place`: types or shapes
/// that differ between them, arguments that are neither listed nor bound, bindings of what the
/// program does not have.
llvm::Expected<std::vector<ProgramArgument>> programArguments(const Golden &golden,
                                                              const KernelInterface &kernel,
                                                              const std::vector<bool> &isIndex,
                                                              const std::string &place);

/// A pure function of seed, run and the arguments. Of streams that the kernel reads there are
/// kDrawnTokens, more than programs read of random ones. `withSpecial`: an eighth of the floats is
/// zero or infinite, of either sign, NaN, subnormal or the largest.
inline constexpr int64_t kDrawnTokens = 4096;
std::vector<KernelArray> randomInputs(const std::vector<ProgramArgument> &arguments, InputKind kind,
                                      bool withSpecial, uint64_t seed, uint32_t run);

/// The arrays arg0, arg1, … of an .npz file. Bound arguments and returned arrays may be absent.
llvm::Expected<std::vector<KernelArray>> readInputs(const std::string &path,
                                                    const std::vector<ProgramArgument> &arguments);

/// The arrays arg0, arg1, … and result0, result1, ….
llvm::Error writeValues(const std::string &path, const Values &values);

} // namespace spindle::hls
