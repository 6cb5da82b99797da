// What ranks say to each other: jobs, and what came of them.
#pragma once

#include "lib/emulation/ranks/Ranks.h"
#include "lib/emulation/ranks/Share.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/OwningOpRef.h"

namespace spindle::ranks {

enum class JobKind { Stop, Samples, Neurons };

/// A job but for its network, which follows as a message of its own.
struct Job {
  JobKind kind = JobKind::Stop;
  EmulationOptions options;
  ShareRange range;
  Samples samples; // those of the range
};

Bytes packJob(Job job);
Job unpackJob(const Bytes &message);

/// A share, or the error with its kind and place.
Bytes packAnswer(llvm::Expected<Share> answer);
llvm::Expected<Share> unpackAnswer(const Bytes &message);

/// A network with the places of its operations, as bytecode.
Bytes packNetwork(mlir::ModuleOp module);
llvm::Expected<mlir::OwningOpRef<mlir::ModuleOp>> unpackNetwork(const Bytes &message,
                                                                mlir::MLIRContext &context);

} // namespace spindle::ranks

namespace spindle {

/// Every rank says how it fares. All get the error of the lowest rank that has one, else the
/// refusal of the lowest that has one.
llvm::Error agree(Ranks &ranks, llvm::Error mine, std::string &refusal);

} // namespace spindle
