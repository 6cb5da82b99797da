#include "tests/synthesis/SynthesizedKernel.h"

#include "dialects/hls/interpreter/MemoryState.h"
#include "hw/program/ProgramFile.h"
#include "tests/hls/lower/CircuitRun.h"
#include "tests/hls/lower/ScheduledKernel.h"

#include "gtest/gtest.h"

namespace spindle::hls {

SynthesizedKernel::SynthesizedKernel(const std::string &text, std::vector<uint64_t> unroll,
                                     std::set<std::string> without, std::string *refusal)
    : context(makeSynthesisContext()),
      program(llvm::cantFail(parseProgram(*context, text, "kernel.mlir"))) {
  SynthesisOptions options;
  options.loops.unroll = std::move(unroll);
  options.loops.without = std::move(without);
  llvm::Expected<Synthesis> made = synthesize(*program, zynqTarget(), options);
  if (made)
    synthesis = std::move(*made);
  else if (refusal)
    *refusal = toText(made.takeError());
  else
    ADD_FAILURE() << toText(made.takeError()) << "\n" << text;
}

/// Indices that are data have become numbers of 64 bits.
static std::vector<KernelArray> asTaken(KernelOp kernel, std::vector<KernelArray> inputs) {
  for (MemoryOp memory : kernel.getOps<MemoryOp>())
    if (std::optional<uint64_t> index = memory.getArgument())
      inputs[*index].type = elementTypeOf(memory.getElement());
  for (auto [value, index] : llvm::zip(kernel.getBody().getArguments(), kernel.getArgumentIndex()))
    inputs[size_t(index)].type = elementTypeOf(value.getType());
  return inputs;
}

void expectSynthesizedRight(SynthesizedKernel &made, const std::vector<KernelArray> &inputs,
                            const std::vector<KernelArray> &others, bool runsCircuit) {
  Golden golden = llvm::cantFail(Golden::compile(*made.program, "kernel"));
  Values expected = llvm::cantFail(golden.run(inputs));
  KernelOp kernel = made.synthesis.kernel;
  auto found = interpret(kernel, asTaken(kernel, inputs), unitFunctions());
  ASSERT_TRUE(bool(found)) << toText(found.takeError());
  EXPECT_EQ(difference(found->values, expected), "");
  EXPECT_EQ(found->cycles, made.synthesis.interface.predictedCycles.value_or(found->cycles));
  if (!runsCircuit)
    return;
  auto run = runCircuit(*made.synthesis.design, made.synthesis.interface.top, kernel,
                        asTaken(kernel, others), found->cycles % 7, 3, asTaken(kernel, inputs),
                        10 * found->cycles + 100);
  ASSERT_TRUE(bool(run)) << toText(run.takeError());
  EXPECT_EQ(difference(run->values, expected), "");
  EXPECT_EQ(run->cycles, found->cycles);
}

} // namespace spindle::hls
