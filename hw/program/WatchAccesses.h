// Accesses outside their arrays end a run of compiled code with a message.
#pragma once

#include "core/support/files/RunApart.h"

#include "mlir/IR/BuiltinOps.h"

#include <cstdint>
#include <string>
#include <vector>

namespace spindle::hls {

/// The function that compiled code calls before it would leave an array.
constexpr const char *kOutsideSymbol = "spindle_outside_array";
void reportOutside(int64_t access, int64_t dimension, int64_t index, int64_t extent);

/// An access of a program.
struct WatchedAccess {
  std::string place; // file:line:column
  std::string what;  // `reads arg0`
};

/// The array behind a view, and what the program calls it. `function` is the one whose arguments
/// are called arg0, arg1, ….
mlir::Value rootOf(mlir::Value array);
std::string arrayName(mlir::Value view, const std::string &function);

/// Puts a comparison with the extents before every memref.load and store. `function` is the one
/// whose arguments are called arg0, arg1, ….
std::vector<WatchedAccess> watchAccesses(mlir::ModuleOp module, const std::string &function);

/// While it lives, the run refuses the first access outside an array by `refuse`. One at a time in
/// a thread.
class AccessWatch {
public:
  AccessWatch(const std::vector<WatchedAccess> &accesses, const Refusal &refuse);
  ~AccessWatch();
  AccessWatch(const AccessWatch &) = delete;
};

} // namespace spindle::hls
