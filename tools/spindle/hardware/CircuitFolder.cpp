#include "tools/spindle/hardware/CircuitFolder.h"

#include "core/run/StageFileNames.h"
#include "core/support/files/DataPath.h"
#include "core/support/files/File.h"
#include "core/support/files/FileHash.h"

#include "fmt/format.h"
#include "fmt/ranges.h"

#include <algorithm>
#include <filesystem>
#include <set>

namespace spindle {

namespace {

namespace fs = std::filesystem;

std::string nameOf(const Mesh &mesh, TileId tile) {
  return fmt::format("[{}, {}]", mesh.x(tile), mesh.y(tile));
}

/// The circuit of this run by the name of its folder; others as models are found.
llvm::Expected<std::string> findFolder(const StageRun &run, const CircuitOption &option) {
  std::string own = fs::path(run::kHardware).parent_path().string();
  if (option.rtl != own)
    return PathResolver(run.flow.path).find(option.rtl, option.place);
  if (!isThere(run.file(run::kHardware)))
    return inputError(option.place, fmt::format("found no circuit in {}, expected the stage "
                                                "hardware to make one: give a section hardware "
                                                "with tile: {{layer: …}}",
                                                run.file(own.c_str())));
  return run.file(own.c_str());
}

/// Which tiles have neurons of the layer.
std::vector<TileId> tilesOf(const CircuitFolder &circuit, const MappedNetwork &mapped) {
  std::set<TileId> tiles;
  for (const Unit &unit : mapped.clustering.units)
    if (unit.neuron >= circuit.first() && unit.neuron - circuit.first() < circuit.neurons)
      tiles.insert(mapped.mapping.placements[unit.cluster].tile);
  return {tiles.begin(), tiles.end()};
}

/// The cluster in the tile is the layer, all of it and nothing else.
llvm::Error checkCluster(const MappedNetwork &mapped, const CircuitOption &option,
                         CircuitFolder &circuit) {
  const Mesh &mesh = mapped.chip.mesh;
  std::vector<ClusterId> clusters;
  for (ClusterId c = 0; c < mapped.mapping.placements.size(); ++c)
    if (mapped.mapping.placements[c].tile == circuit.tile)
      clusters.push_back(c);
  uint32_t units = 0, own = 0;
  for (const Unit &unit : mapped.clustering.units) {
    bool isHere = std::find(clusters.begin(), clusters.end(), unit.cluster) != clusters.end();
    units += isHere;
    own += isHere && unit.neuron >= circuit.first() &&
           unit.neuron - circuit.first() < circuit.neurons && unit.carryTo == kNone;
  }
  if (clusters.size() == 1 && units == circuit.neurons && own == circuit.neurons) {
    circuit.cluster = clusters[0];
    return llvm::Error::success();
  }
  std::vector<std::string> where;
  for (TileId tile : tilesOf(circuit, mapped))
    where.push_back(nameOf(mesh, tile));
  return inputError(
      option.place,
      fmt::format("tile {} holds {} clusters of {} columns, {} of them neurons of layer '{}', "
                  "expected one cluster of the {} neurons that the circuit computes and no partial "
                  "sums; the mapping has them in {} {}",
                  nameOf(mesh, circuit.tile), clusters.size(), units, own,
                  circuit.network.tile->layer, circuit.neurons,
                  where.size() == 1 ? "tile" : "tiles", fmt::join(where, ", ")));
}

/// Every row of the crossbar is a neuron that drives the layer.
llvm::Error checkRows(const MappedNetwork &mapped, const CircuitOption &option,
                      const CircuitFolder &circuit) {
  const HardwareTile &tile = *circuit.network.tile;
  const HardwareArray *input = findArray(circuit.network, ArrayRole::Input, tile.source);
  for (const Axon &axon : mapped.clustering.clusters[circuit.cluster].axons)
    if (!input || axon.neuron < tile.firstInput ||
        axon.neuron - tile.firstInput >= neuronsOf(*input))
      return inputError(option.place,
                        fmt::format("neuron {} of the network drives tile {}, but "
                                    "the circuit takes the spikes of '{}' alone",
                                    axon.neuron, nameOf(mapped.chip.mesh, circuit.tile),
                                    tile.source));
  return llvm::Error::success();
}

llvm::Error checkOrigin(const StageRun &run, const MappedNetwork &mapped,
                        const CircuitOption &option, const CircuitFolder &circuit) {
  SPINDLE_ASSIGN(std::string hash, hashFile(run.file(run::kSpikes)));
  if (circuit.network.spikesHash != hash)
    return inputError(option.place, fmt::format("the circuit in {} was made with other spikes than "
                                                "{}; run the stage hardware of this network again",
                                                circuit.path, run.file(run::kSpikes)));
  double mhz = 1000 / circuit.network.clockPeriodNs;
  if (mapped.chip.clockMhz.value > mhz * (1 + 1e-9))
    return inputError(option.place,
                      fmt::format("the circuit is made for {:g} MHz, and the chip "
                                  "'{}' runs at {:g} MHz; take another target, or a "
                                  "chip with clock_mhz of at most {:g}",
                                  mhz, mapped.chip.name, mapped.chip.clockMhz.value, mhz));
  return llvm::Error::success();
}

} // namespace

llvm::Expected<CircuitFolder> openCircuit(const StageRun &run, const MappedNetwork &mapped,
                                          const CircuitOption &option) {
  const Mesh &mesh = mapped.chip.mesh;
  CircuitFolder circuit;
  if (option.x < 0 || option.y < 0 || option.x >= mesh.columns || option.y >= mesh.rows)
    return inputError(option.place, fmt::format("tile [{}, {}] is outside the mesh of {} columns "
                                                "and {} rows, which count from 0",
                                                option.x, option.y, mesh.columns, mesh.rows));
  SPINDLE_ASSIGN(circuit.path, findFolder(run, option));
  if (!isThere(circuit.path + "/hardware.json"))
    return inputError(option.place, fmt::format("found no hardware.json in {}, expected the folder "
                                                "that the stage hardware writes",
                                                circuit.path));
  SPINDLE_ASSIGN(circuit.network, readHardwareNetwork(circuit.path + "/hardware.json"));
  if (!circuit.network.tile)
    return inputError(option.place, fmt::format("the circuit in {} has no network interface; give "
                                                "hardware.tile: {{layer: …}} and run the stage "
                                                "hardware again",
                                                circuit.path));
  const HardwareTile &tile = *circuit.network.tile;
  SPINDLE_ASSIGN(circuit.kernel, hls::readKernelInterface(circuit.path + "/kernel.json"));
  const HardwareArray *spikes = findArray(circuit.network, ArrayRole::Spikes, tile.layer);
  if (!hls::isModuleName(tile.top) || !spikes ||
      !findArray(circuit.network, ArrayRole::Input, tile.source))
    return inputError(circuit.path + "/hardware.json",
                      fmt::format("found no words of '{}' and '{}' and a module for the tile, run "
                                  "the stage hardware again",
                                  tile.source, tile.layer));
  circuit.neurons = uint32_t(neuronsOf(*spikes));
  circuit.tile = mesh.at(uint32_t(option.x), uint32_t(option.y));
  if (!option.isPlaced)
    for (TileId holder : tilesOf(circuit, mapped))
      circuit.tile = holder;
  SPINDLE_RETURN_IF_ERROR(checkOrigin(run, mapped, option, circuit));
  SPINDLE_RETURN_IF_ERROR(checkCluster(mapped, option, circuit));
  SPINDLE_RETURN_IF_ERROR(checkRows(mapped, option, circuit));
  return circuit;
}

} // namespace spindle
