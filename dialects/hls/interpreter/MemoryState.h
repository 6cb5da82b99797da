// An array of a kernel while it runs, and what is done to it in the current cycle.
#pragma once

#include "dialects/hls/Hls.h"

#include "core/kernel/KernelInterface.h"
#include "core/support/Error.h"

#include <vector>

namespace spindle::hls {

/// One load or store.
struct Access {
  mlir::Operation *op;
  int64_t bank;
  int64_t port; // -1 for registers
  int64_t word;
  bool isStore;
};

class MemoryState {
public:
  /// Constants hold their elements, everything else a pattern that nobody should see.
  explicit MemoryState(MemoryOp memory);

  /// Elements in row-major order, spread over the banks, and back.
  void setContents(const KernelArray &array);
  KernelArray contents() const;

  /// Refuses words outside of the bank, ports that are taken, and accesses of one word that may not
  /// meet: two stores, and in block memory a load and a store.
  llvm::Error claim(const Access &access, int64_t cycle);
  uint64_t load(const Access &access) const { return words[position(access)]; }
  void store(const Access &access, uint64_t value) {
    pending.emplace_back(position(access), value);
  }
  /// The cycle is over: stores become visible.
  void commit();

  /// What a load gives that does not take place.
  uint64_t undefinedValue() const { return pattern; }

private:
  size_t position(const Access &access) const {
    return static_cast<size_t>(access.bank * bankWords + access.word);
  }
  size_t position(size_t element) const;

  std::string name;
  KernelArgument layout;
  bool isRegister, seesOld; // a load sees what was there before a store of the same cycle
  int64_t bankWords;
  uint64_t pattern;
  std::vector<uint64_t> words;
  std::vector<std::pair<size_t, uint64_t>> pending;
  /// Of a bank, in the last cycle in which there were any.
  struct Accesses {
    int64_t cycle = -1;
    llvm::SmallVector<Access, 2> made;
  };
  std::vector<Accesses> current;
};

/// The type of numbers and indices as arrays have it.
ElementType elementTypeOf(mlir::Type type);

} // namespace spindle::hls
