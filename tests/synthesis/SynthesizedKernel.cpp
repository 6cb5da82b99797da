#include "tests/synthesis/SynthesizedKernel.h"

#include "dialects/affine/Divisors.h"
#include "dialects/hls/interpreter/MemoryState.h"
#include "tests/hls/lower/CircuitRun.h"
#include "tests/hls/lower/ScheduledKernel.h"

#include "gtest/gtest.h"

namespace spindle::hls {

static mlir::MLIRContext &sharedContext() {
  static mlir::MLIRContext &context = *makeSynthesisContext().release();
  return context;
}

/// In this process: the texts are ours.
static mlir::OwningOpRef<mlir::ModuleOp> parsed(const std::string &text) {
  std::string errors;
  mlir::ScopedDiagnosticHandler listen(&sharedContext(), [&](mlir::Diagnostic &diagnostic) {
    llvm::raw_string_ostream(errors) << diagnostic.getLocation() << ": " << diagnostic << "\n";
    return mlir::success();
  });
  auto module = parseWithDivisors(sharedContext(), text, "kernel.mlir");
  EXPECT_TRUE(module) << errors;
  return module;
}

const Golden &SynthesizedKernel::golden() {
  if (!compiled)
    compiled = llvm::cantFail(Golden::compile(*program, "kernel", GoldenCode::Plain));
  return *compiled;
}

SynthesizedKernel::SynthesizedKernel(const std::string &text, std::vector<uint64_t> unroll,
                                     std::set<std::string> without, std::string *refusal)
    : program(parsed(text)) {
  if (!program)
    return;
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
  Values expected = llvm::cantFail(made.golden().run(inputs));
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
