#include "hw/cosim/TestBench.h"

#include "core/support/files/File.h"
#include "hw/cosim/HarnessFiles.h"
#include "hw/cosim/Process.h"
#include "hw/cosim/bench/BenchHeader.h"
#include "hw/cosim/bench/SharedUnits.h"

#include "fmt/format.h"
#include "llvm/Support/MD5.h"
#include "llvm/Support/Program.h"

#include <algorithm>
#include <filesystem>
#include <map>
#include <thread>

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
/// A unit translated by itself: commands, and the files that stand in for it.
struct UnitRecipe {
  SharedUnit unit;
  std::vector<std::string> verilate, compile;
  std::string header, text, code; // from the folder in which Verilator runs
};

/// What Verilator is told about the sources.
constexpr const char *kLinesFile = "lines.vlt";

/// The program is compiled together with the circuit: most of the time of small ones goes into
/// headers, which both need; Verilator's rules take it for a file of the circuit's. What drives the
/// circuit is one file, too, and always the same: they take it for one of Verilator's own.
constexpr const char *kMainFile = "hw/cosim/harness/Main.cpp", *kRulesFile = "Bench.mk",
                     *kRules = "VM_SUPPORT_FAST += Main\nVM_GLOBAL_FAST += Harness\n"
                               "include Vkernel.mk\n"
                               "header:\n\t$(CXX) $(CXXFLAGS) $(CPPFLAGS) $(OPT_FAST) "
                               "-x c++-header -MF /dev/null -o $(HEADER_MADE) $(HEADER)\n";

/// The commands that make a test bench, and what they depend on.
struct Recipe {
  std::string name; // of the folder below cosim
  std::vector<UnitRecipe> units;
  std::vector<std::string> verilate, compile;
  BenchHeader header; // that all of the circuit includes
  std::vector<std::string> precompile;
  std::string fingerprint;
};

/// In one file of a translated circuit that is not optimised. Reading Verilator's headers takes as
/// long as compiling tens of thousands of statements; more files are compiled side by side.
constexpr const char *kMostStatements = "200000";

/// More instances of a unit than this are objects of one class: compiling hundreds of copies takes
/// minutes.
constexpr size_t mostCopies = 64;
} // namespace

SimulatedTime simulatedTime(uint64_t cycles) {
  return cycles <= kMostShortCycles ? SimulatedTime::Short : SimulatedTime::Long;
}

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

static std::vector<std::string> verilatorWords(const std::string &verilator,
                                               const std::string &prefix, const std::string &top,
                                               const std::string &folder) {
  return {verilator, "--cc",       "--prefix",  prefix,       "--top-module", top,
          "--Mdir",  folder,       "-O3",       "--x-assign", "unique",       "--x-initial",
          "unique",  "-Wno-fatal", "-Wno-lint", "-Wno-style", "-CFLAGS",      "-I.. -std=c++17"};
}

static std::vector<std::string> makeWords(const std::string &make, const std::string &rules,
                                          const std::string &folder, const std::string &goal,
                                          const std::string &level) {
  // Verilator's rules refuse folders with spaces by CURDIR, and use it for nothing else.
  std::vector<std::string> words = {
      make,       "-C", folder, "-f", rules, "OPT_FAST=" + level, "OPT_SLOW=-O0", "OPT_GLOBAL=-O1",
      "CURDIR=.", goal};
  // The kernel, Verilator's own sources and those of the test bench side by side.
  words.push_back(fmt::format("-j{}", std::max(1u, std::thread::hardware_concurrency())));
  if (llvm::sys::findProgramByName("ccache")) // which keeps what includes a precompiled header, too
    words.push_back("OBJCACHE=env CCACHE_SLOPPINESS=pch_defines,time_macros CCACHE_PCH_EXTSUM=1 "
                    "ccache");
  return words;
}

/// The units of one file that are translated by themselves; none that another one has inside, too.
static std::vector<SharedUnit> unitsApart(const std::map<std::string, std::string> &texts) {
  std::vector<SharedUnit> apart;
  for (const auto &[file, text] : texts)
    for (const SharedUnit &unit : sharedUnits(text, mostCopies)) {
      std::string own = "units/" + unit.module + ".sv";
      bool isInside = std::any_of(texts.begin(), texts.end(), [&, user = file](const auto &other) {
        return other.first != user && other.first != own &&
               other.second.find(" " + unit.module + " #(") != std::string::npos;
      });
      if (!isInside && texts.count(own))
        apart.push_back(unit);
    }
  return apart;
}

static UnitRecipe recipeFor(const BenchDesign &design, const SharedUnit &unit,
                            const std::string &verilator, const std::string &make) {
  std::string prefix = "V" + unit.module, folder = "build-" + unit.module;
  UnitRecipe recipe;
  recipe.unit = unit;
  recipe.verilate = verilatorWords(verilator, prefix, unit.module, folder);
  for (const auto &[name, value] : unit.parameters)
    recipe.verilate.push_back(fmt::format("-G{}={}", name, value));
  for (const std::string &source : design.sources)
    if (source.rfind("units/", 0) == 0)
      recipe.verilate.push_back(wayUp(design.work) + source);
  recipe.compile = makeWords(make, prefix + ".mk", folder, prefix + "__ALL.a", "-O1");
  recipe.header = folder + "/" + prefix + ".h";
  recipe.text = folder + "/stand-in.sv";
  recipe.code = folder + "/" + unit.module + ".cpp";
  return recipe;
}

static llvm::Expected<Recipe> recipeFor(const BenchDesign &design, Tracing tracing,
                                        SimulatedTime time) {
  SPINDLE_ASSIGN(std::string verilator, findProgram("verilator", "verilator"));
  SPINDLE_ASSIGN(std::string make, findProgram("make", "make"));
  bool isTraced = tracing == Tracing::On;
  Recipe recipe;
  bool isShort = time == SimulatedTime::Short;
  recipe.name = fmt::format("build{}{}", isShort ? "-short" : "", isTraced ? "-trace" : "");
  recipe.verilate = verilatorWords(verilator, "Vkernel", design.top, recipe.name);
  recipe.verilate.push_back("--exe");
  if (isTraced)
    recipe.verilate.push_back("--trace");
  if (isShort) { // unoptimised, files only share the headers that each of them reads
    recipe.verilate.push_back("--output-split");
    recipe.verilate.push_back(kMostStatements);
  }
  std::string level = isShort ? "-O0" : "-O1";
  // Reading the header is most of the work on a program that is not optimised.
  llvm::ErrorOr<std::string> compiler = llvm::sys::findProgramByName("g++");
  if (compiler && isShort && !isTraced)
    recipe.header = benchHeader({verilator, *compiler}, level);
  recipe.precompile = makeWords(make, kRulesFile, recipe.name, "header", level);
  recipe.precompile.push_back("HEADER=" + recipe.header.file);
  recipe.compile =
      makeWords(make, kRulesFile, recipe.name, "Vkernel", level + recipe.header.options());
  llvm::MD5 hash;
  hash.update(kRules);
  std::map<std::string, std::string> texts;
  for (const std::string &source : design.sources) {
    SPINDLE_ASSIGN(std::string text, readFile(design.folder + "/" + source));
    hash.update(text);
    texts[source] = std::move(text);
  }
  if (!design.lines.empty()) {
    hash.update(design.lines);
    recipe.verilate.push_back(kLinesFile);
  }
  std::map<std::string, std::string> standIns;
  for (const SharedUnit &unit : unitsApart(texts)) {
    recipe.units.push_back(recipeFor(design, unit, verilator, make));
    const UnitRecipe &made = recipe.units.back();
    standIns["units/" + unit.module + ".sv"] = made.text;
    recipe.verilate.push_back(made.code);
    recipe.verilate.push_back("../build-" + unit.module + "/V" + unit.module + "__ALL.a");
  }
  for (const std::string &source : design.sources) {
    auto standIn = standIns.find(source);
    recipe.verilate.push_back(standIn == standIns.end() ? wayUp(design.work) + source
                                                        : standIn->second);
  }
  for (const HarnessFile &file : harnessFiles)
    if (isNeeded(design, file))
      hash.update(file.text);
  hash.update(design.adapter(design.ports));
  for (const auto *words : {&recipe.verilate, &recipe.compile})
    for (const std::string &word : *words)
      hash.update(word + "\n");
  llvm::MD5::MD5Result digest;
  hash.final(digest);
  recipe.fingerprint = digest.digest().str().str();
  return recipe;
}

static llvm::Error build(const BenchDesign &design, const UnitRecipe &recipe) {
  std::string work = design.path(""), folder = "build-" + recipe.unit.module;
  std::error_code status;
  std::filesystem::create_directories(design.path(folder), status);
  SPINDLE_RETURN_IF_ERROR(
      runProgram(recipe.verilate, work, design.path(folder + "/verilator.log")));
  SPINDLE_ASSIGN(std::string header, readFile(design.path(recipe.header)));
  ModulePorts ports = parsePorts(header);
  SPINDLE_RETURN_IF_ERROR(
      writeIfChanged(design.path(recipe.text), standInText(recipe.unit, ports)));
  SPINDLE_RETURN_IF_ERROR(
      writeIfChanged(design.path(recipe.code), standInCode(recipe.unit, ports, recipe.header)));
  return runProgram(recipe.compile, work, design.path(folder + "/make.log"));
}

static bool isBuilt(const BenchDesign &design, const Recipe &recipe) {
  llvm::Expected<std::string> stamp = readFile(design.path(recipe.name + "/fingerprint"));
  if (stamp)
    return *stamp == recipe.fingerprint && isThere(design.path(recipe.name + "/Vkernel"));
  llvm::consumeError(stamp.takeError());
  return false;
}

/// The files beside the kernel; the program, and all others as one, beside the circuit.
static llvm::Error writeHarness(const BenchDesign &design, const std::string &build) {
  std::string all;
  for (const HarnessFile &file : harnessFiles) {
    if (!isNeeded(design, file))
      continue;
    bool isMain = file.path == std::string(kMainFile);
    SPINDLE_RETURN_IF_ERROR(
        writeIfChanged(isMain ? build + "/Main.cpp" : design.path(file.path), file.text));
    if (!isMain && std::filesystem::path(file.path).extension() == ".cpp")
      all += fmt::format("#include \"{}\"\n", file.path);
  }
  return writeIfChanged(build + "/Harness.cpp", all);
}

llvm::Expected<std::string> buildTestBench(const BenchDesign &design, Tracing tracing,
                                           SimulatedTime time) {
  SPINDLE_ASSIGN(Recipe fast, recipeFor(design, tracing, SimulatedTime::Long));
  if (isBuilt(design, fast))
    return design.path(fast.name + "/Vkernel");
  SPINDLE_ASSIGN(Recipe recipe, recipeFor(design, tracing, time));
  std::string work = design.path(""), build = design.path(recipe.name);
  std::string stamp = build + "/fingerprint", program = build + "/Vkernel";
  if (isBuilt(design, recipe))
    return program;
  std::error_code status;
  std::filesystem::remove(stamp, status);
  SPINDLE_RETURN_IF_ERROR(writeHarness(design, build));
  SPINDLE_RETURN_IF_ERROR(writeIfChanged(build + "/" + kRulesFile, kRules));
  if (!design.lines.empty())
    SPINDLE_RETURN_IF_ERROR(writeIfChanged(design.path(kLinesFile), design.lines));
  for (const UnitRecipe &unit : recipe.units)
    SPINDLE_RETURN_IF_ERROR(hls::build(design, unit));
  SPINDLE_RETURN_IF_ERROR(runProgram(recipe.verilate, work, build + "/verilator.log"));
  SPINDLE_ASSIGN(std::string header, readFile(build + "/Vkernel.h"));
  ModulePorts ports = parsePorts(header);
  SPINDLE_RETURN_IF_ERROR(checkPorts(design.ports, ports, design.file));
  SPINDLE_RETURN_IF_ERROR(writeIfChanged(design.path("Adapter.h"), design.adapter(ports)));
  if (!recipe.header.file.empty() && !recipe.header.isMade())
    makeBenchHeader(recipe.header, recipe.precompile, work, build + "/header.log");
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
  // In the folder of the kernel, where the circuit finds its constants.
  std::vector<std::string> words = {path, design.work + "/stimulus.bin",
                                    design.work + "/response.bin"};
  if (!waveform.empty())
    words.push_back(std::filesystem::absolute(waveform, status).string());
  SPINDLE_RETURN_IF_ERROR(runProgram(words, design.folder, design.path("simulation.log")));
  Response response;
  if (!readResponse(responseFile, response))
    return checkError(responseFile, "is not what a test bench writes");
  std::filesystem::remove(stimulusFile, status);
  std::filesystem::remove(responseFile, status);
  return response;
}

} // namespace spindle::hls
