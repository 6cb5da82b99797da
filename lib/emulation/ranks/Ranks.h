// Processes that share the work of an emulation, and how they talk to each other.
#pragma once

#include "core/support/Error.h"
#include "lib/emulation/ranks/Message.h"

#include "llvm/ADT/STLFunctionalExtras.h"

#include <cstdint>
#include <memory>
#include <span>

namespace spindle {

/// The ranks that were started together, seen from one of them. Rank 0 runs the tool, the others
/// work for it (`serveEmulations`). One thread of a rank talks at a time.
class Ranks {
public:
  virtual ~Ranks() = default;
  virtual size_t rank() const = 0;
  virtual size_t size() const = 0;

  /// Messages from one rank to another arrive in the order they were sent.
  virtual void send(size_t to, const ranks::Bytes &message) = 0;
  /// Waits without keeping the processor busy.
  virtual ranks::Bytes receive(size_t from) = 0;

  /// What all ranks put in, one after the other; that of rank r ends at `ends[r]`. Every rank
  /// calls this at the same time, and waits for the last one.
  virtual void exchange(std::span<const uint32_t> mine, std::vector<uint32_t> &all,
                        std::vector<size_t> &ends) = 0;
};

/// The ranks of the program that started this process (mpirun); one rank where nobody did. There
/// are two definitions, of which a program links one: with MPI, in spindle_mpi, and without, in
/// spindle_no_mpi. The one without refuses to run as one process of several.
llvm::Expected<std::unique_ptr<Ranks>> joinRanks(int &argc, char **&argv);

/// Ranks as threads of this process: runs `lead` as rank 0 on this thread and `serve` as each other
/// rank on threads of their own; returns after all of them.
void runThreadRanks(size_t size, llvm::function_ref<void(Ranks &)> lead,
                    llvm::function_ref<void(Ranks &)> serve);

} // namespace spindle
