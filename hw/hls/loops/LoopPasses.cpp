#include "hw/hls/loops/LoopPasses.h"

#include "hw/hls/Passes.h"
#include "hw/hls/loops/CostPass.h"

#include "fmt/format.h"
#include "fmt/ranges.h"
#include "mlir/Transforms/Passes.h"

#include <algorithm>

using namespace mlir;

namespace spindle::hls {

namespace {

using AddPasses = void (*)(OpPassManager &, const SharedCosts &, const LoopOptions &);
struct Step {
  const char *name;
  AddPasses add;
};

template <std::unique_ptr<Pass> (*create)()>
void plain(OpPassManager &functions, const SharedCosts &, const LoopOptions &) {
  functions.addPass(create());
}

template <std::unique_ptr<Pass> (*make)(const SharedCosts &)>
void weighed(OpPassManager &functions, const SharedCosts &costs, const LoopOptions &) {
  functions.addPass(make(costs));
}

bool unrolls(const LoopOptions &options) {
  return llvm::any_of(options.unroll, [](uint64_t factor) { return factor > 1; });
}

/// One nest takes doitgen as fast as two, with less memory; two can be unrolled further.
void addExpansion(OpPassManager &functions, const SharedCosts &, const LoopOptions &options) {
  if (unrolls(options))
    functions.addPass(createHlsExpandArrays());
}

/// The arrays have no banks yet: orders are weighed as if ports were no matter.
void addUnrolling(OpPassManager &functions, const SharedCosts &costs, const LoopOptions &options) {
  if (options.unroll.empty())
    return;
  LoopCosts unported = *costs;
  unported.target.memory.ports = 1 << 16;
  auto shared = std::make_shared<const LoopCosts>(std::move(unported));
  for (uint64_t factor : options.unroll) {
    HlsWidenLoopsOptions widen;
    widen.factor = factor;
    functions.addPass(createHlsWidenLoops(widen));
    functions.addPass(createHlsUnrollLoops());
    functions.addPass(createCSEPass());
    functions.addPass(createHlsReuseValues());
    functions.addPass(makeInterchangeLoops(shared));
  }
}

/// Sums that the options let be added in another order, after the steps that put them together.
void addBalance(OpPassManager &functions, const SharedCosts &, const LoopOptions &options) {
  if (!options.reassociates)
    return;
  HlsBalanceExpressionsOptions balance;
  balance.floats = true;
  functions.addPass(createHlsBalanceExpressions(balance));
}

/// Pieces as small as legal, each in its best order, then joined where that is faster; what has
/// become a deeper nest by joining is ordered once more.
constexpr Step kSteps[] = {
    {"cse", plain<createCSEPass>},
    {"forward", plain<createHlsForwardResults>},
    {"expand", addExpansion},
    {"fission", weighed<makeFissionLoops>},
    {"perfect", weighed<makePerfectLoops>},
    {"forward", plain<createHlsForwardResults>},
    {"interchange", weighed<makeInterchangeLoops>},
    {"fuse", weighed<makeFuseLoops>},
    {"perfect", weighed<makePerfectLoops>},
    {"interchange", weighed<makeInterchangeLoops>},
    {"unroll", addUnrolling},
    {"cse", plain<createCSEPass>},
    {"reuse", plain<createHlsReuseValues>},
    {"forward", plain<createHlsForwardResults>},
    {"start", plain<createHlsStartSums>},
    {"windows", weighed<makeReuseWindows>},
    {"partition", plain<createHlsPartitionArrays>},
    {"interchange", weighed<makeInterchangeLoops>},
    {"copy", weighed<makeCopyArrays>},
    {"carry", plain<createHlsCarryResults>},
    {"balance", addBalance},
    {"skew", weighed<makeSkewLoops>},
    {"pad", weighed<makePadLoops>},
    {"rows", plain<createHlsFlattenRows>},
    {"narrow", plain<createHlsNarrowIntegers>},
    {"cse", plain<createCSEPass>},
};

struct DefaultLoopOptions : PassPipelineOptions<DefaultLoopOptions> {
  Option<std::string> target{*this, "target", llvm::cl::desc("Target file"), llvm::cl::init("")};
  ListOption<std::string> limits{*this, "limits",
                                 llvm::cl::desc("Units at most by kind, as mulf_f64=2")};
  ListOption<std::string> without{*this, "without", llvm::cl::desc("Steps left out")};
  ListOption<uint64_t> unroll{*this, "unroll", llvm::cl::desc("Iterations side by side")};
  Option<bool> reassociate{*this, "reassociate", llvm::cl::desc("Reorder sums of floats"),
                           llvm::cl::init(false)};
};

llvm::Error build(OpPassManager &manager, const DefaultLoopOptions &given) {
  SPINDLE_ASSIGN(LoopCosts costs,
                 readCosts(given.target, {given.limits.begin(), given.limits.end()}));
  LoopOptions options;
  options.without = {given.without.begin(), given.without.end()};
  options.units = costs.units;
  options.unroll = {given.unroll.begin(), given.unroll.end()};
  options.reassociates = given.reassociate;
  return addLoopPasses(manager, costs.target, options);
}

llvm::Error checkSteps(const std::set<std::string> &without) {
  std::vector<std::string> names = loopSteps();
  for (const std::string &name : without)
    if (std::find(names.begin(), names.end(), name) == names.end())
      return inputError(
          "", fmt::format("found no loop step '{}', expected one of {}", name,
                          fmt::join(std::set<std::string>(names.begin(), names.end()), ", ")));
  return llvm::Error::success();
}

/// As spindle-opt reads them.
std::string passesText(OpPassManager &functions) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  llvm::interleaveComma(functions.getPasses(), stream,
                        [&](Pass &pass) { pass.printAsTextualPipeline(stream); });
  return text;
}

} // namespace

std::vector<std::string> loopSteps() {
  std::vector<std::string> names;
  for (const Step &step : kSteps)
    names.push_back(step.name);
  return names;
}

llvm::Error addLoopPasses(OpPassManager &manager, const Target &target,
                          const LoopOptions &options) {
  SPINDLE_RETURN_IF_ERROR(checkSteps(options.without));
  auto costs = std::make_shared<const LoopCosts>(LoopCosts{target, options.units});
  OpPassManager &functions = manager.nest<func::FuncOp>();
  for (const Step &step : kSteps)
    if (!options.without.count(step.name))
      step.add(functions, costs, options);
  return llvm::Error::success();
}

llvm::Expected<std::string> loopPassesText(const Target &target, const LoopOptions &options) {
  SPINDLE_RETURN_IF_ERROR(checkSteps(options.without));
  auto costs = std::make_shared<const LoopCosts>(LoopCosts{target, options.units});
  std::string text;
  for (const Step &step : kSteps) {
    OpPassManager functions(func::FuncOp::getOperationName());
    step.add(functions, costs, options);
    bool isOn = !options.without.count(step.name) && !functions.empty();
    text += fmt::format("{:<3} {:<11} {}\n", isOn ? "on" : "off", step.name, passesText(functions));
  }
  return text;
}

void registerLoopPasses() {
  static PassPipelineRegistration<DefaultLoopOptions> registration(
      "hls-default-loops", "The passes that every kernel goes through before it is scheduled.",
      [](OpPassManager &manager, const DefaultLoopOptions &options) {
        if (llvm::Error error = build(manager, options))
          llvm::report_fatal_error(llvm::StringRef(toText(std::move(error))),
                                   /*gen_crash_diag=*/false);
      });
}

} // namespace spindle::hls
