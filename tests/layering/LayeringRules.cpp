#include "tests/layering/LayeringRules.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <set>
#include <sstream>

namespace spindle {

namespace {

constexpr size_t mostLines = 600, mostFiles = 25;

constexpr std::array roots = {"core/", "dialects/", "lib/", "hw/", "sim/", "tools/", "tests/"};
constexpr std::array refusedWords = {"utils", "common", "misc", "helper"};

/// Libraries that one source file alone may know.
struct Hidden {
  const char *header, *name;
};
constexpr Hidden hidden[] = {{"metis.h", "METIS"}, {"mpi.h", "MPI"}, {"sqlite3.h", "SQLite"}};

struct Layer {
  const char *folder;
  std::vector<std::string> mayInclude; // folders besides its own
  bool mlir = false, systemC = false;
};

/// Rooms of the emulation, and what all of them may include.
std::vector<std::string> under(const std::vector<std::string> &rooms) {
  std::vector<std::string> folders = {"core/", "dialects/"};
  for (const std::string &room : rooms)
    folders.push_back("lib/emulation/" + room);
  return folders;
}

/// What stands on the targets and declarations of passes at the root of hw/hls.
std::vector<std::string> aboveTargets(std::vector<std::string> folders) {
  for (const char *lower :
       {"core/", "dialects/", "hw/hls/Target.h", "hw/hls/UnitLimits.h", "hw/hls/Passes.h"})
    folders.push_back(lower);
  return folders;
}

/// The tree, from the bottom up; a room stands before the folder that it is in. Stage libraries
/// meet in core/ and nowhere else.
const std::vector<Layer> layers = {
    {"core/support/", {}},
    {"core/kernel/", {"core/support/"}},
    {"core/network/", {"core/support/", "core/kernel/DeviceArea.h"}},
    {"core/chip/", {"core/support/", "core/network/"}},
    {"core/run/", {"core/support/"}},
    {"dialects/affine/", {}, true},
    {"dialects/upstream/", {"dialects/affine/"}, true},
    {"dialects/jit/", {"core/support/"}, true},
    {"dialects/location/", {}, true},
    {"dialects/vectors/", {}, true},
    {"dialects/", {"core/"}, true},
    {"lib/dataset/", {"core/"}},
    {"lib/frontend/", {"core/", "dialects/"}, true},
    {"lib/conversion/", {"core/", "dialects/"}, true},
    {"lib/emulation/network/", {"core/", "dialects/"}, true},
    {"lib/emulation/graph/", {"core/", "dialects/", "lib/emulation/network/"}, true},
    {"lib/emulation/runtime/", {"core/", "dialects/", "lib/emulation/network/"}, true},
    {"lib/emulation/ranks/", under({"network/", "runtime/"}), true},
    {"lib/emulation/interpreter/", under({"network/", "runtime/"}), true},
    {"lib/emulation/lanes/", under({"network/", "runtime/", "interpreter/"}), true},
    {"lib/emulation/neuron-level/", under({"lanes/"}), true},
    {"lib/emulation/layers/", under({"network/", "runtime/", "ranks/", "lanes/"}), true},
    {"lib/emulation/diagnosis/", under({"network/", "runtime/", ""}), true},
    {"lib/emulation/", {"core/", "dialects/"}, true},
    {"lib/partition/", {"core/"}},
    {"lib/sdf/", {"core/"}},
    {"lib/mapping/", {"core/"}},
    {"lib/report/", {"core/"}},
    {"lib/exploration/", {"core/"}},
    {"hw/rtl/", {"core/support/"}},
    {"hw/program/", {"core/", "dialects/", "hw/rtl/"}, true},
    {"hw/hls/ranges/", {"core/", "dialects/"}, true},
    {"hw/hls/dependence/", {"core/", "dialects/"}, true},
    {"hw/hls/schedule/", {"core/", "dialects/"}, true},
    {"hw/hls/body/", aboveTargets({"hw/hls/schedule/"}), true},
    {"hw/hls/prepare/", {"core/", "dialects/", "hw/rtl/model/", "hw/hls/Passes.h", "hw/hls/ranges/"}, true},
    {"hw/hls/loops/",
     aboveTargets({"hw/hls/ranges/", "hw/hls/dependence/", "hw/hls/schedule/", "hw/hls/body/"}),
     true},
    {"hw/hls/lower/",
     aboveTargets({"hw/hls/ranges/", "hw/hls/dependence/", "hw/hls/schedule/", "hw/hls/body/"}),
     true},
    {"hw/hls/software-pipelining/",
     aboveTargets({"hw/hls/ranges/", "hw/hls/dependence/", "hw/hls/schedule/", "hw/hls/body/",
                   "hw/hls/loops/"}),
     true},
    {"hw/hls/axi/", {"core/", "dialects/", "hw/hls/lower/"}, true},
    {"hw/hls/", {"core/", "dialects/"}, true},
    {"hw/synthesis/", {"core/", "dialects/", "hw/rtl/", "hw/program/", "hw/hls/"}, true},
    {"hw/system/", {"core/", "dialects/", "hw/hls/", "hw/synthesis/"}, true},
    {"hw/cosim/", {"core/", "hw/rtl/", "hw/program/"}, true},
    {"hw/area/", {"core/", "hw/cosim/"}},
    {"sim/model/", {"core/"}},
    {"sim/chip/", {"core/", "sim/model/"}, false, true},
    {"tools/", {"core/", "dialects/", "lib/", "hw/", "sim/"}, true},
    {"tests/", {"core/", "dialects/", "lib/", "hw/", "sim/", "tools/"}, true},
};

bool startsWith(const std::string &text, const std::string &prefix) {
  return text.compare(0, prefix.size(), prefix) == 0;
}

bool isOneOf(const std::string &extension, const std::set<std::string> &extensions) {
  return extensions.count(extension) > 0;
}

const Layer *layerOf(const std::string &path) {
  for (const Layer &layer : layers)
    if (startsWith(path, layer.folder))
      return &layer;
  return nullptr;
}

/// One include and where it stands.
struct Include {
  const SourceFile &file;
  size_t line;
  std::string target;

  std::string breach(const std::string &reason) const {
    return file.path + ":" + std::to_string(line) + ": " + reason;
  }
};

std::vector<Include> includesOf(const SourceFile &file) {
  static const std::regex directive("^\\s*#\\s*include\\s*[<\"]([^>\"]+)[>\"].*");
  static const std::regex tableGen("^\\s*include\\s*\"([^\"]+)\".*");
  const std::regex &form =
      std::filesystem::path(file.path).extension() == ".td" ? tableGen : directive;
  std::vector<Include> includes;
  std::istringstream lines(file.text);
  std::string line;
  std::smatch match;
  for (size_t number = 1; std::getline(lines, line); ++number)
    if (std::regex_match(line, match, form))
      includes.push_back({file, number, match[1]});
  return includes;
}

void checkOwn(const Include &include, const Layer &layer, std::vector<std::string> &problems) {
  bool own = startsWith(include.target, layer.folder);
  for (const std::string &folder : layer.mayInclude)
    own = own || startsWith(include.target, folder);
  if (!own)
    problems.push_back(
        include.breach(std::string(layer.folder) + " must not include " + include.target));
  else if (!layer.systemC && startsWith(include.target, "sim/chip/") &&
           include.target != "sim/chip/Engines.h") // the header that hides SystemC
    problems.push_back(include.breach("of sim/chip/, others include Engines.h only"));
}

void checkOutside(const Include &include, const Layer &layer, std::vector<std::string> &problems) {
  bool isMlir = startsWith(include.target, "mlir/") || startsWith(include.target, "mlir-c/");
  bool isSystemC = include.target == "systemc" || startsWith(include.target, "systemc.h") ||
                   startsWith(include.target, "sysc/") || startsWith(include.target, "tlm");
  if (isMlir && !layer.mlir)
    problems.push_back(include.breach(std::string(layer.folder) + " must do without MLIR"));
  if (isSystemC && !layer.systemC)
    problems.push_back(include.breach("SystemC belongs in sim/chip/ only"));
}

/// Whether those that include a hidden library are one .cpp.
void checkUsers(const std::vector<std::string> &users, std::vector<std::string> &problems) {
  bool isAlone =
      users.empty() || (users.size() == 1 && users[0].find(".cpp:") != std::string::npos);
  if (!isAlone)
    problems.insert(problems.end(), users.begin(), users.end());
}

void checkName(const SourceFile &file, std::vector<std::string> &problems) {
  std::string lower;
  for (char c : file.path)
    lower += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  for (const char *word : refusedWords)
    if (lower.find(word) != std::string::npos)
      problems.push_back(file.path + ":1: names with '" + word + "' say nothing, name the idea");
}

void checkLength(const SourceFile &file, std::vector<std::string> &problems) {
  size_t lines = std::count(file.text.begin(), file.text.end(), '\n');
  if (lines > mostLines)
    problems.push_back(file.path + ":" + std::to_string(lines) + ": more than " +
                       std::to_string(mostLines) + " lines, split it");
}

/// Folders of data, such as the templates of a benchmark, may hold as many as there are.
void checkFolders(const std::vector<SourceFile> &files, std::vector<std::string> &problems) {
  std::map<std::string, size_t> filesIn;
  for (const SourceFile &file : files)
    if (!startsWith(file.path, "tests/kernels/polybench/"))
      ++filesIn[std::filesystem::path(file.path).parent_path().generic_string()];
  for (const auto &[folder, count] : filesIn)
    if (count > mostFiles)
      problems.push_back(folder + ": " + std::to_string(count) + " files, more than " +
                         std::to_string(mostFiles) + ", give them rooms");
}

/// A namespace below spindle bears the name of a folder on its way, `_` for `-`. `hls` is all of
/// hardware synthesis: nouns, dialect, passes; declarations of what others define are free, and
/// tests may open the namespace of what they test.
void checkNamespaces(const SourceFile &file, std::vector<std::string> &problems) {
  static const std::regex opening(
      R"(\n *namespace spindle::([a-z0-9_]+)\b(?! \{(\s*(class|struct) \w+;)*\s*\}))");
  std::string text = '\n' + file.text, folders = file.path;
  std::replace(folders.begin(), folders.end(), '-', '_');
  bool isSynthesis = startsWith(file.path, "core/kernel/") || startsWith(file.path, "hw/");
  for (std::sregex_iterator match(text.begin(), text.end(), opening), end; match != end; ++match) {
    std::string name = (*match)[1];
    if (folders.find('/' + name + '/') == std::string::npos && !(isSynthesis && name == "hls") &&
        !startsWith(file.path, "tests/"))
      problems.push_back(
          file.path + ':' +
          std::to_string(std::count(text.begin(), text.begin() + match->position() + 1, '\n')) +
          ": namespace spindle::" + name + " is no folder of this file");
  }
}

/// No two headers define classes of one name in one namespace: linked into one program they would
/// be taken for each other.
void checkDefinitions(const std::vector<SourceFile> &files, std::vector<std::string> &problems) {
  static const std::regex opened(R"(^namespace ([a-z0-9_:]+) \{)");
  static const std::regex defined(R"(^(?:class|struct|enum class) (\w+)[^;]*\{)");
  std::map<std::string, std::string> places; // of definitions, by their whole name
  for (const SourceFile &file : files) {
    if (std::filesystem::path(file.path).extension() != ".h" || startsWith(file.path, "tests/"))
      continue;
    std::istringstream lines(file.text);
    std::string line, space;
    std::smatch found;
    for (int number = 1; std::getline(lines, line); ++number) {
      if (std::regex_search(line, found, opened))
        space = found[1];
      if (!std::regex_search(line, found, defined))
        continue;
      std::string name = space + "::" + found[1].str();
      std::string place = file.path + ":" + std::to_string(number);
      auto [first, isNew] = places.emplace(name, place);
      if (!isNew)
        problems.push_back(place + ": " + name + " is defined in " + first->second + ", too");
    }
  }
}

} // namespace

std::vector<SourceFile> readSources(const std::string &root) {
  static const std::set<std::string> extensions = {
      ".h", ".cpp", ".td", ".sv", ".py", ".js", ".css", ".html", ".cmake", ".txt", ".in", ".inc"};
  std::vector<SourceFile> files;
  for (const char *folder : roots) {
    std::filesystem::path start = std::filesystem::path(root) / folder;
    if (!std::filesystem::exists(start))
      continue;
    for (const auto &entry : std::filesystem::recursive_directory_iterator(start)) {
      if (!entry.is_regular_file() || !isOneOf(entry.path().extension().string(), extensions))
        continue;
      std::ifstream stream(entry.path(), std::ios::binary);
      std::ostringstream text;
      text << stream.rdbuf();
      files.push_back({std::filesystem::relative(entry.path(), root).generic_string(), text.str()});
    }
  }
  std::sort(files.begin(), files.end(),
            [](const SourceFile &a, const SourceFile &b) { return a.path < b.path; });
  return files;
}

std::vector<std::string> layeringProblems(const std::vector<SourceFile> &files) {
  std::vector<std::string> problems;
  std::map<std::string, std::vector<std::string>> users; // of hidden libraries
  std::set<std::string> headers;
  for (const SourceFile &file : files)
    headers.insert(std::filesystem::path(file.path).filename().string());
  for (const SourceFile &file : files) {
    checkName(file, problems);
    checkLength(file, problems);
    if (!isOneOf(std::filesystem::path(file.path).extension().string(), {".h", ".cpp", ".td"}))
      continue;
    const Layer *layer = layerOf(file.path);
    if (!layer) {
      problems.push_back(file.path + ":1: its folder has no layer, add it to the table");
      continue;
    }
    checkNamespaces(file, problems);
    for (const Include &include : includesOf(file)) {
      bool isOwn = std::any_of(roots.begin(), roots.end(), [&](const char *folder) {
        return startsWith(include.target, folder);
      });
      if (include.target.find("..") != std::string::npos ||
          (include.target.find('/') == std::string::npos && headers.count(include.target)))
        problems.push_back(
            include.breach("include " + include.target + " from the repository's root"));
      else if (isOwn)
        checkOwn(include, *layer, problems);
      else
        checkOutside(include, *layer, problems);
      for (const Hidden &library : hidden)
        if (include.target == library.header)
          users[library.name].push_back(
              include.breach(std::string(library.name) + " belongs in one .cpp only"));
    }
  }
  checkFolders(files, problems);
  checkDefinitions(files, problems);
  for (const auto &[library, breaches] : users)
    checkUsers(breaches, problems);
  return problems;
}

} // namespace spindle
