#include "hw/cosim/TestBench.h"

#include "hw/cosim/HarnessFiles.h"
#include "hw/cosim/Process.h"
#include "lib/support/File.h"

#include "fmt/format.h"
#include "llvm/Support/MD5.h"
#include "llvm/Support/Program.h"

#include <filesystem>

namespace spindle::hls {

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

/// Up from the folder in which Verilator runs.
static std::string wayUp(const std::string &work) {
  std::string way = "../";
  for (char letter : work)
    way += letter == '/' ? "../" : "";
  return way;
}

/// The sources of the test bench that this design needs: those that all need, and its own.
static bool isNeeded(const BenchDesign &design, const HarnessFile &file) {
  std::string folder = std::filesystem::path(file.path).parent_path().string();
  return folder == "hw/cosim/harness" || folder == design.harness;
}

static llvm::Expected<Recipe> recipeFor(const BenchDesign &design, Tracing tracing) {
  SPINDLE_ASSIGN(std::string verilator, findProgram("verilator", "verilator"));
  SPINDLE_ASSIGN(std::string make, findProgram("make", "make"));
  bool isTraced = tracing == Tracing::On;
  Recipe recipe;
  recipe.name = isTraced ? "build-trace" : "build";
  recipe.verilate = {verilator,      "--cc",       "--exe",       "--prefix",       "Vkernel",
                     "--top-module", design.top,   "--Mdir",      recipe.name,      "-O3",
                     "--x-assign",   "unique",     "--x-initial", "unique",         "-Wno-fatal",
                     "-Wno-lint",    "-Wno-style", "-CFLAGS",     "-I.. -std=c++20"};
  if (isTraced)
    recipe.verilate.push_back("--trace");
  recipe.compile = {make,           "-C",           recipe.name,      "-f",     "Vkernel.mk",
                    "OPT_FAST=-O1", "OPT_SLOW=-O0", "OPT_GLOBAL=-O1", "Vkernel"};
  if (llvm::sys::findProgramByName("ccache"))
    recipe.compile.push_back("OBJCACHE=ccache");
  llvm::MD5 hash;
  for (const std::string &source : design.sources) {
    SPINDLE_ASSIGN(std::string text, readFile(design.folder + "/" + source));
    hash.update(text);
    recipe.verilate.push_back(wayUp(design.work) + source);
  }
  for (const HarnessFile &file : harnessFiles) {
    if (!isNeeded(design, file))
      continue;
    hash.update(file.text);
    std::string path = file.path;
    if (path.size() > 4 && path.substr(path.size() - 4) == ".cpp")
      recipe.verilate.push_back(path);
  }
  hash.update(design.adapter(design.ports));
  for (const auto *words : {&recipe.verilate, &recipe.compile})
    for (const std::string &word : *words)
      hash.update(word + "\n");
  llvm::MD5::MD5Result digest;
  hash.final(digest);
  recipe.fingerprint = digest.digest().str().str();
  return recipe;
}

llvm::Expected<std::string> buildTestBench(const BenchDesign &design, Tracing tracing) {
  SPINDLE_ASSIGN(Recipe recipe, recipeFor(design, tracing));
  std::string work = design.path(""), build = design.path(recipe.name);
  std::string stamp = build + "/fingerprint", program = build + "/Vkernel";
  llvm::Expected<std::string> built = readFile(stamp);
  if (built && *built == recipe.fingerprint && std::filesystem::exists(program))
    return program;
  if (!built)
    llvm::consumeError(built.takeError());
  std::error_code status;
  std::filesystem::remove(stamp, status);
  for (const HarnessFile &file : harnessFiles)
    if (isNeeded(design, file))
      SPINDLE_RETURN_IF_ERROR(writeIfChanged(design.path(file.path), file.text));
  std::filesystem::create_directories(build, status);
  SPINDLE_RETURN_IF_ERROR(runProgram(recipe.verilate, work, build + "/verilator.log"));
  SPINDLE_ASSIGN(std::string header, readFile(build + "/Vkernel.h"));
  ModulePorts ports = parsePorts(header);
  SPINDLE_RETURN_IF_ERROR(checkPorts(design.ports, ports, design.file));
  SPINDLE_RETURN_IF_ERROR(writeIfChanged(design.path("Adapter.h"), design.adapter(ports)));
  SPINDLE_RETURN_IF_ERROR(runProgram(recipe.compile, work, build + "/make.log"));
  SPINDLE_RETURN_IF_ERROR(writeFile(stamp, recipe.fingerprint));
  return program;
}

llvm::Expected<Response> runTestBench(const BenchDesign &design, const std::string &program,
                                      const Stimulus &stimulus, const std::string &waveform) {
  std::string stimulusFile = design.path("stimulus.bin"),
              responseFile = design.path("response.bin");
  std::error_code status;
  std::filesystem::remove(responseFile, status);
  if (!writeStimulus(stimulusFile, stimulus))
    return inputError(stimulusFile, "cannot write");
  std::string path = std::filesystem::absolute(program, status).string();
  std::vector<std::string> words = {path, "stimulus.bin", "response.bin"};
  if (!waveform.empty())
    words.push_back(std::filesystem::absolute(waveform, status).string());
  SPINDLE_RETURN_IF_ERROR(runProgram(words, design.path(""), design.path("simulation.log")));
  Response response;
  if (!readResponse(responseFile, response))
    return checkError(responseFile, "is not what a test bench writes");
  std::filesystem::remove(stimulusFile, status);
  std::filesystem::remove(responseFile, status);
  return response;
}

} // namespace spindle::hls
