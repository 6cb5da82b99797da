#include "lib/report/circuit/HardwareSection.h"

#include "lib/report/Quantity.h"
#include "lib/report/circuit/Int8Comparison.h"
#include "lib/report/circuit/PublishedAccelerators.h"

#include "fmt/format.h"
#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <numeric>

namespace spindle {

namespace {

constexpr const char *kStyleNames[] = {"clock", "event"};
constexpr const char *kKindNames[] = {"spiking", "tensor"};

Json areaOf(const hls::DeviceArea &area) {
  return {{"lut", area.lut}, {"ff", area.ff}, {"dsp", area.dsp}, {"bram", area.bram}};
}

/// Of parts, or of the whole.
Json areaOf(const auto &area, const std::string &source) {
  return {{"source", source}, {"lut", area.lut}, {"lut_ram", area.lutRam},
          {"ff", area.ff},    {"dsp", area.dsp}, {"bram", area.bram}};
}

/// What the layer's busiest process did while all samples went through in a stream; null where
/// there is none.
Json useOf(const HardwareLayer &layer, const hls::CosimResult &cosim, const std::string &source) {
  const hls::StreamUse::Task *most = nullptr;
  for (const hls::StreamUse::Task &task : cosim.use->tasks)
    if (llvm::is_contained(layer.tasks, task.name) && (!most || task.iterations > most->iterations))
      most = &task;
  if (!most)
    return Json();
  auto share = [&](uint64_t cycles) { return ratio(double(cycles), double(cosim.use->cycles)); };
  return {{"source", source},
          {"task", most->name},
          {"busy", share(most->iterations)},
          {"without_token", share(most->withoutToken)},
          {"without_room", share(most->withoutRoom)}};
}

/// Of the tasks of a layer, mapped by themselves; null where there are none.
Json areaOf(const HardwareLayer &layer, const hls::KernelArea &area, const std::string &source) {
  hls::AreaPart sum;
  bool isThere = false;
  for (const hls::AreaPart &part : area.parts)
    if (llvm::is_contained(layer.tasks, part.name)) {
      isThere = true;
      sum.lut += part.lut;
      sum.lutRam += part.lutRam;
      sum.ff += part.ff;
      sum.dsp += part.dsp;
      sum.bram += part.bram;
    }
  return isThere ? areaOf(sum, source) : Json();
}

Json energyOf(const hls::LibraryPower::Part &part, const std::string &source) {
  Json energy = quantity(part.totalPj(), "pJ", source);
  energy["cells"] = part.cells;
  energy["clock"] = quantity(part.clockPj, "pJ", source);
  energy["data"] = quantity(part.dataPj, "pJ", source);
  energy["leakage"] = quantity(part.leakagePj, "pJ", source);
  return energy;
}

void add(hls::LibraryPower::Part &sum, const hls::LibraryPower::Part &part) {
  sum.cells += part.cells;
  sum.leakagePj += part.leakagePj;
  sum.clockPj += part.clockPj;
  sum.dataPj += part.dataPj;
}

/// By layer, what is beside them, and all.
Json energySection(const HardwareNetwork &network, const hls::LibraryArea &library,
                   const std::string &source) {
  const hls::LibraryPower &power = *library.power;
  std::vector<hls::LibraryPower::Part> layers(network.layers.size());
  hls::LibraryPower::Part others, all;
  for (const hls::LibraryPower::Part &part : power.parts) {
    auto layer = llvm::find_if(network.layers, [&](const HardwareLayer &each) {
      return llvm::is_contained(each.tasks, part.name);
    });
    add(layer == network.layers.end() ? others : layers[size_t(layer - network.layers.begin())],
        part);
    add(all, part);
  }
  Json section = {
      {"source", source},         {"library", library.library},          {"tool", power.tool},
      {"samples", power.samples}, {"per_sample", energyOf(all, source)}, {"parts", Json::array()}};
  for (size_t n = 0; n < layers.size(); ++n) {
    Json part = energyOf(layers[n], source);
    part["name"] = network.layers[n].name;
    section["parts"].push_back(std::move(part));
  }
  Json rest = energyOf(others, source);
  rest["name"] = "streams and control";
  section["parts"].push_back(std::move(rest));
  return section;
}

/// The layer of a task, or the task; empty for a port.
std::string endOf(const HardwareNetwork &network, const std::string &task) {
  for (const HardwareLayer &layer : network.layers)
    if (llvm::is_contained(layer.tasks, task))
      return layer.name;
  return task;
}

/// What came of the samples that were simulated.
Json simulationSection(const HardwareNetwork &network, const hls::CosimResult &cosim,
                       const std::string &source) {
  double clockPeriodNs = network.clockPeriodNs;
  Json section = {{"source", source}, {"mismatches", cosim.mismatches}};
  section["samples"] = cosim.images ? cosim.images->latencies.size() : size_t(cosim.runs);
  section["agrees"] = cosim.problems.empty();
  if (cosim.images && !cosim.images->latencies.empty()) {
    const std::vector<uint64_t> &all = cosim.images->latencies;
    auto [least, most] = std::minmax_element(all.begin(), all.end());
    double mean = double(std::accumulate(all.begin(), all.end(), uint64_t(0))) / double(all.size());
    section["latency_cycles"] = {{"mean", quantity(mean, "cycles", source)},
                                 {"min", quantity(*least, "cycles", source)},
                                 {"max", quantity(*most, "cycles", source)}};
  }
  if (cosim.images && !cosim.images->intervals.empty()) {
    double cycles = cosim.images->meanInterval();
    section["cycles_per_sample"] = quantity(cycles, "cycles", source);
    section["samples_per_second"] = quantity(ratio(1e9, cycles * clockPeriodNs), "1/s", source);
  }
  if (!cosim.use)
    return section;
  section["fifos"] = Json::array();
  for (const hls::StreamUse::Fifo &fifo : cosim.use->fifos)
    section["fifos"].push_back({{"name", fifo.name},
                                {"from", endOf(network, fifo.from)},
                                {"to", endOf(network, fifo.to)},
                                {"depth", fifo.depth},
                                {"most", fifo.most},
                                {"mean", fifo.mean}});
  return section;
}

Json layerOf(const HardwareLayer &layer, const CircuitFiles &circuit, const std::string &folder) {
  Json item = {{"name", layer.name},
               {"style", kStyleNames[size_t(layer.style)]},
               {"as", kKindNames[size_t(layer.kind)]},
               {"neurons", layer.neurons},
               {"lanes", layer.lanes},
               {"inputs", layer.inputs},
               {"weight_bits", layer.weightBits},
               {"current_bits", layer.currentBits},
               {"membrane_bits", layer.membraneBits}};
  if (layer.cycles)
    item["cycles"] = quantity(*layer.cycles, "cycles", folder + "hardware.json");
  if (layer.estimate)
    item["estimate"] = areaOf(*layer.estimate);
  if (circuit.cosim && circuit.cosim->use)
    if (Json use = useOf(layer, *circuit.cosim, folder + "cosim.json"); !use.is_null())
      item["use"] = std::move(use);
  if (circuit.area)
    if (Json area = areaOf(layer, *circuit.area, folder + "area.json"); !area.is_null())
      item["area"] = std::move(area);
  return item;
}

/// A circuit whose files lie in `folder`, which ends in a slash.
Json circuitOf(const HardwareNetwork &network, const CircuitFiles &circuit,
               const std::string &folder) {
  std::string source = folder + "hardware.json";
  Json section = {{"source", source},
                  {"target", network.target},
                  {"steps", network.steps},
                  {"clock", quantity(1e3 / network.clockPeriodNs, "MHz", source)}};
  if (network.predictedCycles) {
    auto cycles = double(*network.predictedCycles);
    section["cycles_per_sample"] = quantity(*network.predictedCycles, "cycles", source);
    section["samples_per_second"] =
        quantity(ratio(1e9, cycles * network.clockPeriodNs), "1/s", source);
  }
  if (circuit.estimate) {
    section["estimate"] = areaOf(*circuit.estimate);
    section["estimate"]["source"] = folder + "kernel.json";
  }
  section["layers"] = Json::array();
  for (const HardwareLayer &layer : network.layers)
    section["layers"].push_back(layerOf(layer, circuit, folder));
  if (circuit.cosim)
    section["simulation"] = simulationSection(network, *circuit.cosim, folder + "cosim.json");
  if (circuit.area) {
    section["area"] = areaOf(*circuit.area, folder + "area.json");
    section["area"]["tool"] = circuit.area->tool;
    if (circuit.area->library && circuit.area->library->power)
      section["energy"] = energySection(network, *circuit.area->library, folder + "area.json");
  }
  return section;
}

} // namespace

Json hardwareSection(const StageFiles &files) {
  const std::string folder = "90-hardware/", int8Folder = std::string(kInt8Folder) + "/" + folder;
  Json section = circuitOf(*files.hardware, files.circuit, folder);
  if (files.int8Ann) {
    Json &ann = section["int8_ann"] =
        circuitOf(files.int8Ann->hardware, files.int8Ann->circuit, int8Folder);
    section["comparison"] = compareWithInt8(section, ann, files);
  } else if (!files.hardware->int8Ann.empty()) {
    section["int8_commands"] = int8Commands(files);
  }
  section["published"] = publishedAccelerators();
  return section;
}

} // namespace spindle
