#include "tests/report/SampleCircuit.h"

#include "core/kernel/KernelInterface.h"

#include <filesystem>

namespace spindle {

namespace {

HardwareNetwork makeNetwork(uint32_t steps) {
  HardwareNetwork network;
  network.top = "main";
  network.target = "zynq-7020-100mhz";
  network.steps = steps;
  network.spikesHash = "0123";
  HardwareLayer conv, dense;
  conv.name = "conv2";
  conv.neurons = 1024;
  conv.lanes = 16;
  conv.weightBits = dense.weightBits = 8;
  conv.style = dense.style = LayerStyle::Event;
  conv.tasks = {"while0", "while1"};
  conv.estimate = {900, 400, 0, 2};
  dense.name = "dense1";
  dense.neurons = 120;
  dense.lanes = 60;
  dense.tasks = {"while2"};
  network.layers = {conv, dense};
  network.int8Ann = {"conversion.tensor=[conv2]", "emulation.steps=1"};
  return network;
}

/// Of 2,000 cycles with three samples.
hls::CosimResult makeCosim(std::vector<uint64_t> latencies, std::vector<uint64_t> intervals) {
  hls::CosimResult cosim;
  cosim.top = "main";
  cosim.runs = 6;
  cosim.images = hls::ImageTimes{std::move(latencies), std::move(intervals)};
  cosim.use = hls::StreamUse{2000,
                             {{"while0", 500, 1400, 0},
                              {"while1", 1600, 300, 100},
                              {"while2", 250, 1750, 0},
                              {"nest9", 3, 0, 0}},
                             {{"arg0", 2, 2, 1.5, "", "while0"},
                              {"stream0", 16, 12, 3.25, "while1", "while2"},
                              {"stream1", 4, 0, 0, "while2", "nest9"}}};
  return cosim;
}

hls::KernelArea makeArea(uint64_t lut, uint64_t dsp) {
  hls::KernelArea area;
  area.kernel = "main";
  area.tool = "Yosys 0.23";
  area.lut = lut;
  area.lutRam = 50;
  area.ff = 300;
  area.dsp = dsp;
  area.bram = 2.5;
  area.parts = {{"while0", 100, 50, 0, 0, 0},
                {"while1", 400, 150, dsp, 2, 40},
                {"while2", 200, 90, 0, 0.5, 10},
                {"streams", 60, 20, 0, 0, 0}};
  area.library = hls::LibraryArea{"cells.lib", 1000, 300};
  area.library->power = hls::LibraryPower{"OpenSTA 2.0.17",
                                          3,
                                          2000,
                                          300,
                                          300,
                                          {{"while0", 20, 0.5, 10, 20},
                                           {"while1", 100, 0.5, 100, 200},
                                           {"while2", 80, 1, 50, 60},
                                           {"", 100, 2, 70, 5}}};
  return area;
}

llvm::Error writeCircuit(const std::string &folder, const HardwareNetwork &network,
                         const CircuitFiles &circuit) {
  std::filesystem::create_directories(folder);
  SPINDLE_RETURN_IF_ERROR(writeHardwareNetwork(folder + "/hardware.json", network));
  hls::KernelInterface kernel;
  kernel.top = kernel.function = "main";
  kernel.original = "original.mlir";
  kernel.target = network.target;
  kernel.sources = {"main.sv"};
  kernel.estimate = circuit.estimate;
  SPINDLE_RETURN_IF_ERROR(hls::writeKernelInterface(folder + "/kernel.json", kernel));
  if (circuit.cosim)
    SPINDLE_RETURN_IF_ERROR(hls::writeCosimResult(folder + "/cosim.json", *circuit.cosim));
  if (circuit.area)
    SPINDLE_RETURN_IF_ERROR(hls::writeKernelArea(folder + "/area.json", *circuit.area));
  return llvm::Error::success();
}

} // namespace

void addSampleCircuit(StageFiles &files) {
  files.hardware = makeNetwork(files.emulation->steps);
  files.circuit = {hls::DeviceArea{1100, 600, 0, 2.5}, makeCosim({900, 1000, 1100}, {700, 800}),
                   makeArea(800, 0)};
  Int8Ann ann{*files.emulation, makeNetwork(1), {}};
  for (uint64_t &correct : ann.emulation.correctByStep)
    correct = ann.emulation.samples;
  for (size_t label = 0; label < ann.emulation.confusion.size(); ++label) {
    ann.emulation.confusion[label].assign(ann.emulation.confusion.size(), 0);
    ann.emulation.confusion[label][label] = ann.emulation.samples / ann.emulation.confusion.size();
  }
  ann.hardware.int8Ann.clear();
  for (HardwareLayer &layer : ann.hardware.layers)
    layer.kind = LayerKind::Tensor;
  ann.circuit = {hls::DeviceArea{1000, 600, 20, 3}, makeCosim({1500, 1500, 1500}, {1500, 1500}),
                 makeArea(700, 20)};
  files.int8Ann = std::move(ann);
}

llvm::Error writeCircuits(const std::string &folder, const StageFiles &files) {
  if (files.hardware)
    SPINDLE_RETURN_IF_ERROR(writeCircuit(folder + "/90-hardware", *files.hardware, files.circuit));
  if (!files.int8Ann)
    return llvm::Error::success();
  std::string own = folder + "/" + kInt8Folder;
  SPINDLE_RETURN_IF_ERROR(
      writeCircuit(own + "/90-hardware", files.int8Ann->hardware, files.int8Ann->circuit));
  SPINDLE_RETURN_IF_ERROR(writeAnnEvaluation(own + "/" + run::kAnn, *files.ann));
  return writeEmulationSummary(own + "/" + run::kEmulation, files.int8Ann->emulation);
}

} // namespace spindle
