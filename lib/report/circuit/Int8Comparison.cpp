#include "lib/report/circuit/Int8Comparison.h"

#include "lib/report/Quantity.h"

#include "fmt/format.h"

#include <algorithm>

namespace spindle {

namespace {

/// A word of a shell's command.
std::string quoted(const std::string &word) {
  if (word.find_first_of(" '\"{}[]*?$&;<>()|\\#~`!") == std::string::npos)
    return word;
  std::string text = "'";
  for (char letter : word)
    text += letter == '\'' ? std::string("'\\''") : std::string(1, letter);
  return text + "'";
}

/// Which of two numbers is better.
enum class Wanted { Least, Most };

struct Row {
  const char *name, *unit;
  Wanted wanted;
  /// Where both sections have the number; a quantity or a plain one.
  const char *pointer;
  const char *file; // beside hardware.json
};

/// LUTs that cells of LUT RAM take are added to `lut`.
constexpr Row kMeasured[] = {
    {"latency", "cycles", Wanted::Least, "/simulation/latency_cycles/mean", "cosim.json"},
    {"cycles per sample in a stream", "cycles", Wanted::Least, "/simulation/cycles_per_sample",
     "cosim.json"},
    {"samples per second", "1/s", Wanted::Most, "/simulation/samples_per_second", "cosim.json"},
    {"energy per sample", "pJ", Wanted::Least, "/energy/per_sample", "area.json"}};
constexpr Row kArea[] = {{"LUT", "", Wanted::Least, "/area/lut", "area.json"},
                         {"FF", "", Wanted::Least, "/area/ff", "area.json"},
                         {"DSP", "", Wanted::Least, "/area/dsp", "area.json"},
                         {"BRAM", "", Wanted::Least, "/area/bram", "area.json"}};
constexpr Row kEstimate[] = {
    {"LUT, by estimate", "", Wanted::Least, "/estimate/lut", "kernel.json"},
    {"FF, by estimate", "", Wanted::Least, "/estimate/ff", "kernel.json"},
    {"DSP, by estimate", "", Wanted::Least, "/estimate/dsp", "kernel.json"},
    {"BRAM, by estimate", "", Wanted::Least, "/estimate/bram", "kernel.json"}};

std::optional<double> numberAt(const Json &section, const std::string &pointer) {
  Json::json_pointer at(pointer);
  if (!section.contains(at))
    return std::nullopt;
  const Json &found = section[at];
  double more = pointer == "/area/lut" ? section["area"]["lut_ram"].get<double>() : 0;
  return (found.is_object() ? found["value"].get<double>() : found.get<double>()) + more;
}

class Comparison {
public:
  void add(const char *name, const char *unit, Wanted wanted, double snn, double ann,
           const std::string &source) {
    const char *better = snn == ann                                 ? "equal"
                         : (snn < ann) == (wanted == Wanted::Least) ? "snn"
                                                                    : "int8_ann";
    rows.push_back({{"name", name},
                    {"unit", unit},
                    {"snn", snn},
                    {"int8_ann", ann},
                    {"better", better},
                    {"source", source}});
  }

  void add(const Row &row, const Json &snn, const Json &ann) {
    std::optional<double> ours = numberAt(snn, row.pointer), theirs = numberAt(ann, row.pointer);
    if (ours && theirs)
      add(row.name, row.unit, row.wanted, *ours, *theirs,
          fmt::format("90-hardware/{0}, {1}/90-hardware/{0}", row.file, kInt8Folder));
  }

  Json section() const {
    Json made = {{"rows", rows}};
    for (const char *who : {"snn", "int8_ann", "equal"})
      made[who] = std::count_if(rows.begin(), rows.end(),
                                [&](const Json &row) { return row["better"] == who; });
    return made;
  }

private:
  Json rows = Json::array();
};

std::optional<double> accuracyOf(const std::optional<EmulationSummary> &emulation) {
  if (!emulation || emulation->correctByStep.empty())
    return std::nullopt;
  return ratio(double(emulation->correctByStep.back()), double(emulation->samples));
}

} // namespace

std::vector<std::string> int8Commands(const StageFiles &files) {
  std::string make = fmt::format("spindle run {} --out DIR/{}",
                                 files.flow.empty() ? "FLOW" : quoted(files.flow), kInt8Folder);
  for (const auto *settings : {&files.overrides, &files.hardware->int8Ann}) // the last one wins
    for (const std::string &setting : *settings)
      make += " --set " + quoted(setting);
  std::string circuit = fmt::format("DIR/{}/90-hardware", kInt8Folder);
  std::vector<std::string> commands = {make};
  if (files.circuit.cosim && files.circuit.cosim->images)
    commands.push_back(fmt::format("spindle cosim {} --images {}", circuit,
                                   files.circuit.cosim->images->latencies.size()));
  if (const std::optional<hls::KernelArea> &area = files.circuit.area) {
    std::string measure = "spindle area " + circuit;
    if (area->library && area->library->power)
      measure += fmt::format(" --liberty {} --power {}", quoted(area->library->library),
                             area->library->power->samples);
    commands.push_back(measure);
  }
  commands.push_back("spindle report DIR");
  return commands;
}

Json compareWithInt8(const Json &snn, const Json &int8Ann, const StageFiles &files) {
  Comparison comparison;
  std::optional<double> ours = accuracyOf(files.emulation),
                        theirs = accuracyOf(files.int8Ann->emulation);
  if (ours && theirs)
    comparison.add("accuracy", "", Wanted::Most, *ours, *theirs,
                   fmt::format("{0}, {1}/{0}", run::kEmulation, kInt8Folder));
  for (const Row &row : kMeasured)
    comparison.add(row, snn, int8Ann);
  bool isMeasured = snn.contains("area") && int8Ann.contains("area");
  for (const Row &row : isMeasured ? kArea : kEstimate)
    comparison.add(row, snn, int8Ann);
  return comparison.section();
}

} // namespace spindle
