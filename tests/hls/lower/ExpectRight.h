// A scheduled kernel and its circuit against the program they are made from.
#pragma once

#include "tests/hls/lower/ScheduledKernel.h"

#include <optional>

namespace spindle::hls {

/// What the interpreter finds is what the program computes.
std::optional<Interpretation> expectRight(ScheduledKernel &scheduled,
                                          const std::vector<KernelArray> &inputs);

/// So does the circuit, in as many cycles, also after a reset in the middle of a run on `others`.
/// Only where the test has a model of every unit.
void expectSameCircuit(ScheduledKernel &scheduled, const std::vector<KernelArray> &others,
                       const std::vector<KernelArray> &inputs, const Interpretation &expected);

/// Both, for inputs from several seeds.
void expectRightThroughout(const std::string &program);

} // namespace spindle::hls
