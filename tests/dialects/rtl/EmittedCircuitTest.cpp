// Random circuits: what Verilator runs of the emitted text is what the simulation of the dialect
// says, and so is the simplified circuit.
#include "core/support/Error.h"
#include "dialects/rtl/SystemVerilog.h"
#include "dialects/rtl/simulation/Simulation.h"
#include "tests/dialects/rtl/RandomCircuit.h"

#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"
#include "gtest/gtest.h"

#include <array>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <sstream>

namespace spindle::rtl {
namespace {

#include "tests/dialects/rtl/Stimulus.inc"

constexpr uint64_t cycles = 1000;

struct Outcome {
  int status;
  std::string output;
};

Outcome run(const std::string &command) {
  FILE *pipe = popen((command + " 2>&1").c_str(), "r");
  std::string output;
  std::array<char, 4096> buffer;
  while (size_t count = fread(buffer.data(), 1, buffer.size(), pipe))
    output.append(buffer.data(), count);
  return {pclose(pipe), output};
}

/// One line of outputs per cycle.
std::string simulated(Bench &bench) {
  llvm::Expected<std::unique_ptr<Simulation>> made = Simulation::create(*bench.design, "bench");
  if (!made)
    return toText(made.takeError());
  std::string lines;
  llvm::raw_string_ostream os(lines);
  for (uint64_t cycle = 0; cycle < cycles; ++cycle) {
    (*made)->set("rst", llvm::APInt(1, isResetAt(cycle)));
    for (unsigned i = 0; i < bench.inputs; ++i)
      (*made)->set("in" + std::to_string(i), llvm::APInt(64, stimulusOf(cycle, i)));
    for (unsigned i = 0; i < bench.outputs; ++i)
      os << llvm::format_hex_no_prefix((*made)->get("out" + std::to_string(i)).getZExtValue(), 1)
         << ' ';
    os << '\n';
    (*made)->step();
  }
  return lines;
}

/// The program around the verilated bench, which prints the same lines.
std::string benchProgram(Bench &bench) {
  std::ifstream stimulus("tests/dialects/rtl/Stimulus.inc");
  std::ostringstream program;
  program << "#include \"Vbench.h\"\n#include <cstdint>\n#include <cstdio>\n"
          << stimulus.rdbuf() << "int main() {\n  Vbench b;\n  for (uint64_t cycle = 0; cycle < "
          << cycles << "; ++cycle) {\n    b.clk = 0;\n    b.rst = isResetAt(cycle);\n";
  for (unsigned i = 0; i < bench.inputs; ++i)
    program << "    b.in" << i << " = stimulusOf(cycle, " << i << ");\n";
  program << "    b.eval();\n";
  for (unsigned i = 0; i < bench.outputs; ++i)
    program << "    printf(\"%llx \", (unsigned long long)b.out" << i << ");\n";
  program << "    puts(\"\");\n    b.clk = 1;\n    b.eval();\n  }\n}\n";
  return program.str();
}

std::string emitted(Bench &bench) {
  std::string text;
  llvm::raw_string_ostream os(text);
  if (llvm::Error error = emitSystemVerilog(*bench.design, os))
    return toText(std::move(error));
  return text;
}

void simplify(Bench &bench) {
  mlir::PassManager passes(bench.design->getContext());
  passes.addPass(mlir::createCanonicalizerPass());
  passes.addPass(mlir::createCSEPass());
  passes.addPass(mlir::createCanonicalizerPass());
  ASSERT_TRUE(mlir::succeeded(passes.run(*bench.design)));
}

class RandomCircuits : public testing::Test {
protected:
  void SetUp() override {
    folder = std::filesystem::temp_directory_path() /
             ("spindle-rtl-" + std::to_string(getpid()) + "-" +
              testing::UnitTest::GetInstance()->current_test_info()->name());
    std::filesystem::create_directories(folder);
  }
  void TearDown() override { std::filesystem::remove_all(folder); }
  void write(const std::string &name, const std::string &text) {
    std::ofstream(folder / name) << text;
  }
  std::string in(const std::string &name) { return (folder / name).string(); }

  std::filesystem::path folder;
  mlir::MLIRContext context;
};

TEST_F(RandomCircuits, RunAsTheSimulationSays) {
  if (run("verilator --version").status != 0)
    GTEST_SKIP() << "verilator cannot be run: install the package verilator";
  Bench bench = randomBench(context, {.seed = 7, .modules = 12, .operations = 60});
  write("bench.sv", emitted(bench));
  write("main.cpp", benchProgram(bench));
  Outcome built = run("cd " + folder.string() +
                      " && OBJCACHE=$(command -v ccache) verilator -Wall -O1 --cc --exe --build "
                      "-CFLAGS -O0 --top-module bench "
                      "bench.sv main.cpp");
  ASSERT_EQ(built.status, 0) << built.output;
  Outcome outcome = run(in("obj_dir/Vbench"));
  ASSERT_EQ(outcome.status, 0);
  EXPECT_TRUE(outcome.output == simulated(bench));
}

TEST_F(RandomCircuits, PassLintAndYosys) {
  if (run("verilator --version").status != 0)
    GTEST_SKIP() << "verilator cannot be run: install the package verilator";
  bool hasYosys = run("yosys -V").status == 0;
  for (uint64_t seed = 100; seed < 106; ++seed) {
    Bench bench = randomBench(context, {.seed = seed, .modules = 3, .operations = 80});
    if (seed % 2)
      simplify(bench);
    write("bench.sv", emitted(bench));
    Outcome lint = run("verilator --lint-only -Wall --top-module bench " + in("bench.sv"));
    EXPECT_EQ(lint.output, "") << emitted(bench);
    if (!hasYosys)
      continue;
    Outcome yosys = run("yosys -q -p 'read_verilog -sv " + in("bench.sv") +
                        "; hierarchy -check -top bench; proc'");
    EXPECT_EQ(yosys.status, 0) << yosys.output;
  }
}

TEST_F(RandomCircuits, StayTheSameWhenSimplified) {
  for (uint64_t seed = 200; seed < 230; ++seed) {
    Bench bench =
        randomBench(context, {.seed = seed, .modules = 2, .operations = 80, .defined = true});
    std::string before = simulated(bench);
    simplify(bench);
    EXPECT_TRUE(before == simulated(bench)) << seed;
  }
}

TEST_F(RandomCircuits, AreEmittedAlikeTwice) {
  Bench first = randomBench(context, {.seed = 5, .modules = 3}),
        second = randomBench(context, {.seed = 5, .modules = 3});
  EXPECT_EQ(emitted(first), emitted(second));
}

} // namespace
} // namespace spindle::rtl
