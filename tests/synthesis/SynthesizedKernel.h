// Programs taken through the whole line, and the check that their circuits compute what they do.
#pragma once

#include "hw/program/Golden.h"
#include "hw/synthesis/Synthesis.h"

namespace spindle::hls {

/// A program, and what becomes of it on the repository's target; a refusal fails the test unless
/// somebody takes it.
struct SynthesizedKernel {
  SynthesizedKernel(const std::string &text, std::vector<uint64_t> unroll,
                    std::set<std::string> without = {}, std::string *refusal = nullptr);

  uint64_t cycles() const { return synthesis.interface.predictedCycles.value_or(0); }
  /// What it has to compute; compiled by the first call.
  const Golden &golden();

  mlir::OwningOpRef<mlir::ModuleOp> program; // in a context that all of a process share
  Synthesis synthesis;

private:
  std::optional<Golden> compiled;
};

/// What the program computes, the interpreter finds in as many cycles as predicted, where there is
/// a prediction; with `runsCircuit` so does the simulation of the circuit, which has no model for
/// some units.
void expectSynthesizedRight(SynthesizedKernel &made, const std::vector<KernelArray> &inputs,
                            const std::vector<KernelArray> &others, bool runsCircuit);

} // namespace spindle::hls
