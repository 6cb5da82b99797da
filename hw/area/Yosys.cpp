#include "hw/area/Yosys.h"

#include "core/support/files/File.h"
#include "core/support/formats/Json.h"
#include "hw/cosim/Process.h"

#include "fmt/format.h"
#include "fmt/ranges.h"

#include <filesystem>
#include <optional>
#include <regex>

namespace spindle::hls {

std::string Yosys::readSources() const {
  std::vector<std::string> sources;
  for (const std::string &source : kernel.sources)
    sources.push_back("../" + source);
  return fmt::format("read_verilog -sv {}\n", fmt::join(sources, " "));
}

llvm::Error Yosys::runScript(const std::string &script, const std::string &log) const {
  SPINDLE_RETURN_IF_ERROR(writeFile(file(log + ".ys"), script));
  return runProgram({yosys, "-q", "-s", log + ".ys"}, workFolder(), file(log + ".log"));
}

llvm::Error Yosys::run(const std::vector<std::string> &commands, const std::string &log) const {
  return runScript(fmt::format("{}hierarchy -check -top {}\n{}\n", readSources(), kernel.top,
                               fmt::join(commands, "\n")),
                   log);
}

llvm::Error Yosys::runWrapped(const std::string &wrapper, const std::string &top,
                              const std::vector<std::string> &commands,
                              const std::string &log) const {
  return runScript(fmt::format("{}read_verilog {}\nhierarchy -check -top {}\n{}\n", readSources(),
                               wrapper, top, fmt::join(commands, "\n")),
                   log);
}

llvm::Expected<CellCounts> cellsIn(const std::string &path) {
  SPINDLE_ASSIGN(Json json, readJson(path));
  return parseJson<CellCounts>(path, json, [](const Json &stat) {
    CellCounts cells;
    for (const auto &[type, count] : stat.at("design").at("num_cells_by_type").items())
      cells[type] = count.get<uint64_t>();
    return cells;
  });
}

llvm::Error copyLibrary(const Yosys &yosys, const std::string &liberty) {
  SPINDLE_ASSIGN(std::string text, readMaybeGzip(std::filesystem::absolute(liberty).string()));
  SPINDLE_RETURN_IF_ERROR(writeFile(yosys.file("library.lib"), text));
  // Without a load and a driver abc neither sizes nor buffers.
  return writeFile(yosys.file("library.constr"), "set_load 0.01\n");
}

/// Yosys 0.23 says the area in its table only, that of all modules last.
llvm::Expected<double> areaIn(const std::string &table, const std::string &liberty) {
  SPINDLE_ASSIGN(std::string text, readFile(table));
  static const std::regex areaLine("Chip area for (?:top )?module '[^']*': ([0-9.eE+]+)");
  std::optional<double> area;
  for (std::sregex_iterator line(text.begin(), text.end(), areaLine), end; line != end; ++line)
    area = std::stod((*line)[1]);
  if (!area)
    return checkError(liberty, "yosys reports no area for the cells of this library");
  return *area;
}

} // namespace spindle::hls
