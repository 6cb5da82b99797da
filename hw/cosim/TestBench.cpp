#include "hw/cosim/TestBench.h"

#include "hw/cosim/HarnessFiles.h"
#include "hw/cosim/Process.h"
#include "lib/support/File.h"

#include "fmt/format.h"
#include "llvm/Support/MD5.h"
#include "llvm/Support/Program.h"

#include <filesystem>

namespace spindle::hls {

/// A table of pins: compilers are slow with thousands of calls in one function.
static std::string memoryText(const KernelArgument &argument) {
  std::string text = "  const PortPins arg" + std::to_string(argument.index) + "[] = {\n";
  for (uint32_t bank = 0; bank < argument.banks(); ++bank)
    for (uint32_t port = 0; port < argument.ports; ++port) {
      text += "      {";
      for (const char *suffix : {"en", "we", "addr", "wdata", "rdata"})
        text += fmt::format("{}pinOf(kernel.{}_{})", suffix[0] == 'e' ? "" : ", ",
                            portName(argument.index, bank, port), suffix);
      text += "},\n";
    }
  return text + fmt::format("  }};\n  pins.memories.push_back({{\"arg{0}\", {1}, {2:#x}, {3}, {4}, "
                            "inBanks(arg{0}, {5}, {6})}});\n",
                            argument.index, argument.bankWords(), argument.type.mask(),
                            argument.readLatency, argument.isWritten, argument.banks(),
                            argument.ports);
}

/// The bits that a scalar's port has.
static uint64_t maskOf(const std::string &name, const ModulePorts &ports) {
  uint32_t bits = ports.at(name).bits;
  return bits == 0 || bits >= 64 ? ~uint64_t(0) : (uint64_t(1) << bits) - 1;
}

static std::string scalarText(const KernelArgument &argument, const ModulePorts &ports) {
  std::string name = fmt::format("arg{}", argument.index);
  return fmt::format("  pins.scalars.push_back({{pinOf(kernel.{}), {:#x}}});\n", name,
                     maskOf(name, ports));
}

std::string adapterText(const KernelInterface &kernel, const ModulePorts &ports) {
  std::string text = "// The ports of " + kernel.top + R"(.
#pragma once

#include "Vkernel.h"

#include "hw/cosim/harness/Pins.h"

namespace spindle::hls {

inline void connect(Vkernel &kernel, KernelPins &pins) {
  pins.clock = pinOf(kernel.clk);
  pins.reset = pinOf(kernel.rst);
  pins.start = pinOf(kernel.start);
  pins.idle = pinOf(kernel.idle);
  pins.done = pinOf(kernel.done);
)";
  if (kernel.hasClockEnable)
    text += "  pins.clockEnable = pinOf(kernel.ce);\n";
  for (const KernelArgument &argument : kernel.arguments)
    text += argument.isMemory() ? memoryText(argument) : scalarText(argument, ports);
  for (size_t i = 0; i < kernel.results.size(); ++i)
    text += fmt::format("  pins.results.push_back(pinOf(kernel.result{}));\n", i);
  return text + "}\n\n} // namespace spindle::hls\n";
}

/// The same file keeps its time, so that make leaves it alone.
static llvm::Error writeIfChanged(const std::string &path, const std::string &text) {
  std::error_code status;
  std::filesystem::create_directories(std::filesystem::path(path).parent_path(), status);
  llvm::Expected<std::string> before = readFile(path);
  if (before && *before == text)
    return llvm::Error::success();
  if (!before)
    llvm::consumeError(before.takeError());
  return writeFile(path, text);
}

namespace {
/// The commands that make a test bench, and what they depend on.
struct Recipe {
  std::string name; // of the folder below cosim
  std::vector<std::string> verilate, compile;
  std::string fingerprint;
};
} // namespace

static llvm::Expected<Recipe> recipeFor(const std::string &folder, const KernelInterface &kernel,
                                        Tracing tracing) {
  SPINDLE_ASSIGN(std::string verilator, findProgram("verilator", "verilator"));
  SPINDLE_ASSIGN(std::string make, findProgram("make", "make"));
  bool isTraced = tracing == Tracing::On;
  Recipe recipe;
  recipe.name = isTraced ? "build-trace" : "build";
  recipe.verilate = {verilator,      "--cc",       "--exe",       "--prefix",       "Vkernel",
                     "--top-module", kernel.top,   "--Mdir",      recipe.name,      "-O3",
                     "--x-assign",   "unique",     "--x-initial", "unique",         "-Wno-fatal",
                     "-Wno-lint",    "-Wno-style", "-CFLAGS",     "-I.. -std=c++20"};
  if (isTraced)
    recipe.verilate.push_back("--trace");
  recipe.compile = {make,           "-C",           recipe.name,      "-f",     "Vkernel.mk",
                    "OPT_FAST=-O1", "OPT_SLOW=-O0", "OPT_GLOBAL=-O1", "Vkernel"};
  if (llvm::sys::findProgramByName("ccache"))
    recipe.compile.push_back("OBJCACHE=ccache");
  llvm::MD5 hash;
  for (const std::string &source : kernel.sources) {
    SPINDLE_ASSIGN(std::string text, readFile(folder + "/" + source));
    hash.update(text);
    recipe.verilate.push_back("../" + source);
  }
  for (const HarnessFile &file : harnessFiles) {
    hash.update(file.text);
    std::string path = file.path;
    if (path.size() > 4 && path.substr(path.size() - 4) == ".cpp")
      recipe.verilate.push_back(path);
  }
  hash.update(adapterText(kernel, portsOf(kernel)));
  for (const auto *words : {&recipe.verilate, &recipe.compile})
    for (const std::string &word : *words)
      hash.update(word + "\n");
  llvm::MD5::MD5Result digest;
  hash.final(digest);
  recipe.fingerprint = digest.digest().str().str();
  return recipe;
}

llvm::Expected<std::string> buildTestBench(const std::string &folder, const KernelInterface &kernel,
                                           Tracing tracing) {
  SPINDLE_ASSIGN(Recipe recipe, recipeFor(folder, kernel, tracing));
  std::string work = folder + "/cosim", build = work + "/" + recipe.name;
  std::string stamp = build + "/fingerprint", program = build + "/Vkernel";
  llvm::Expected<std::string> built = readFile(stamp);
  if (built && *built == recipe.fingerprint && std::filesystem::exists(program))
    return program;
  if (!built)
    llvm::consumeError(built.takeError());
  std::error_code status;
  std::filesystem::remove(stamp, status);
  for (const HarnessFile &file : harnessFiles)
    SPINDLE_RETURN_IF_ERROR(writeIfChanged(work + "/" + file.path, file.text));
  std::filesystem::create_directories(build, status);
  SPINDLE_RETURN_IF_ERROR(runProgram(recipe.verilate, work, build + "/verilator.log"));
  SPINDLE_ASSIGN(std::string header, readFile(build + "/Vkernel.h"));
  ModulePorts ports = parsePorts(header);
  SPINDLE_RETURN_IF_ERROR(checkPorts(portsOf(kernel), ports, folder + "/kernel.json"));
  SPINDLE_RETURN_IF_ERROR(writeIfChanged(work + "/Adapter.h", adapterText(kernel, ports)));
  SPINDLE_RETURN_IF_ERROR(runProgram(recipe.compile, work, build + "/make.log"));
  SPINDLE_RETURN_IF_ERROR(writeFile(stamp, recipe.fingerprint));
  return program;
}

llvm::Expected<Response> runTestBench(const std::string &program, const Stimulus &stimulus,
                                      const std::string &folder, const std::string &waveform) {
  std::string work = folder + "/cosim";
  std::string stimulusFile = work + "/stimulus.bin", responseFile = work + "/response.bin";
  std::error_code status;
  std::filesystem::remove(responseFile, status);
  if (!writeStimulus(stimulusFile, stimulus))
    return inputError(stimulusFile, "cannot write");
  std::string path = std::filesystem::absolute(program, status).string();
  std::vector<std::string> words = {path, "stimulus.bin", "response.bin"};
  if (!waveform.empty())
    words.push_back(std::filesystem::absolute(waveform, status).string());
  SPINDLE_RETURN_IF_ERROR(runProgram(words, work, work + "/simulation.log"));
  Response response;
  if (!readResponse(responseFile, response))
    return checkError(responseFile, "is not what a test bench writes");
  std::filesystem::remove(stimulusFile, status);
  std::filesystem::remove(responseFile, status);
  return response;
}

} // namespace spindle::hls
