// Files of SANA-FE as chips and networks: figures by hand, edges by definition, refusals by text.
#include "lib/frontend/sanafe/SanafeImport.h"

#include "core/chip/Chip.h"
#include "lib/frontend/network/NetworkImport.h"
#include "tests/support/TemporaryFolder.h"

#include "gmock/gmock.h"

namespace spindle {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr const char *kArchitecture = R"(architecture:
  name: demo
  attributes:
    topology: mesh
    width: 3
    height: 2
    link_buffer_size: 4
    sync_model: table
    latency_sync: {1: 10.0e-9, 2: 20.0e-9, 4: 40.0e-9}
  tile:
    - name: tile[0..5]
      attributes:
        energy_north_hop: 2.0e-12
        latency_north_hop: 4.0e-9
        energy_east_hop: 3.0e-12
        latency_east_hop: 4.0e-9
        energy_south_hop: 2.0e-12
        latency_south_hop: 4.0e-9
        energy_west_hop: 3.0e-12
        latency_west_hop: 4.0e-9
      core:
        - name: host
          attributes: {buffer_position: soma, max_neurons_supported: 100}
          axon_in: [{name: a, attributes: {energy_message_in: 0.0, latency_message_in: 0.0}}]
          synapse: [{name: s, attributes: {model: current_based, energy_process_spike: 0.0, latency_process_spike: 0.0}}]
          dendrite: [{name: d, attributes: {model: accumulator, energy_update: 0.0, latency_update: 0.0}}]
          soma: [{name: "in[0..9]", attributes: {model: input, energy_access_neuron: 0.0, latency_access_neuron: 0.0, energy_update_neuron: 0.0, latency_update_neuron: 0.0, energy_spike_out: 0.0, latency_spike_out: 0.0}}]
          axon_out: [{name: o, attributes: {energy_message_out: 0.0, latency_message_out: 0.0}}]
        - name: core[0..1]
          attributes: {buffer_position: soma, buffer_inside_unit: false, max_neurons_supported: 64}
          axon_in: {name: a, attributes: {energy_message_in: 1.0e-12, latency_message_in: 16.0e-9}}
          synapse:
            - name: dense
              attributes: {model: current_based, energy_process_spike: 35.5e-12, latency_process_spike: 3.0e-9}
            - name: sparse
              attributes: {model: current_based, energy_process_spike: 33.0e-12, latency_process_spike: 5.0e-9}
          dendrite: [{name: d, attributes: {model: accumulator, energy_update: 0.5e-12, latency_update: 1.0e-9}}]
          soma:
            - name: lif
              attributes: {model: leaky_integrate_fire, energy_access_neuron: 51.2e-12, latency_access_neuron: 6.0e-9, energy_update_neuron: 21.6e-12, latency_update_neuron: 2.0e-9, energy_spike_out: 69.3e-12, latency_spike_out: 30.0e-9}
            - name: exact
              attributes: {model: truenorth, energy_access_neuron: 51.2e-12, latency_access_neuron: 6.0e-9, energy_update_neuron: 21.6e-12, latency_update_neuron: 2.0e-9, energy_spike_out: 69.3e-12, latency_spike_out: 30.0e-9}
            - name: dear
              attributes: {model: leaky_integrate_fire, energy_access_neuron: 99.0e-12, latency_access_neuron: 6.0e-9, energy_update_neuron: 21.6e-12, latency_update_neuron: 2.0e-9, energy_spike_out: 69.3e-12, latency_spike_out: 30.0e-9}
          axon_out: [{name: o, attributes: {energy_message_out: 111.0e-12, latency_message_out: 5.0e-9}}]
)";

constexpr const char *kNetwork = R"(network:
  name: net
  groups:
    - name: in
      neurons:
        - 0: [spikes: [1, 0, 1]]
        - 1..2: {rate: 0.5}
    - name: out
      attributes: [threshold: 2, log_spikes: true]
      neurons:
        - 0..1
        - 2: [soma: {reset_mode: hard}]
  edges:
    - in -> out: [type: dense, weight: [1, 2, 3, 4, 5, 6, 7, 8, 9]]
    - out.1 -> out.0: {weight: -4.5}
mappings:
  - in.0: [core: 2.0, soma: "in[0]"]
  - in.1: [core: 2.0, soma: "in[1]"]
  - in.2: [core: 2.0, soma: "in[2]"]
  - out: {core: 3.2}
)";

class SanafeImport : public ::testing::Test {
protected:
  llvm::Expected<ImportedSanafe> import(const std::string &architecture, const std::string &network,
                                        uint32_t steps = 0) {
    SanafeSource source;
    source.architecture = folder.write("arch.yaml", architecture);
    source.network = network.empty() ? "" : folder.write("snn.yaml", network);
    source.steps = steps;
    return importSanafe(source);
  }
  /// The chip that the text is; the files lie in the folder.
  Chip chipOf(const ImportedSanafe &imported) {
    return llvm::cantFail(readChip(folder.write("chip.yaml", imported.chip)));
  }
  std::string errorOf(const std::string &architecture, const std::string &network = kNetwork) {
    llvm::Expected<ImportedSanafe> imported = import(architecture, network);
    if (imported)
      return "no error";
    llvm::Error error = imported.takeError();
    EXPECT_EQ(kindOf(error), ErrorKind::Input);
    std::string text = toText(std::move(error));
    for (size_t at; (at = text.find(folder.path() + "/")) != std::string::npos;)
      text.erase(at, folder.path().size() + 1);
    return text;
  }
  static std::string with(std::string text, const std::string &old, const std::string &now) {
    size_t at = text.find(old);
    EXPECT_NE(at, std::string::npos) << old;
    return at == std::string::npos ? text : text.replace(at, old.size(), now);
  }
  std::string networkError(const std::string &old, const std::string &now) {
    return errorOf(kArchitecture, with(kNetwork, old, now));
  }
  std::string chipError(const std::string &old, const std::string &now) {
    return errorOf(with(kArchitecture, old, now));
  }
  /// The text that a projection reads.
  static std::string part(const ImportedSanafe &imported, const std::string &name) {
    for (const NamedText &each : imported.parts)
      if (each.name == name)
        return each.text;
    return "none";
  }
  TemporaryFolder folder;
};

/// Cycles of 1 ns. A tile holds two crossbars, its host core is none.
TEST_F(SanafeImport, AnArchitectureIsAChip) {
  ImportedSanafe imported = llvm::cantFail(import(with(kArchitecture, "99.0e-12", "51.2e-12"), ""));
  Chip chip = chipOf(imported);
  EXPECT_EQ(chip.name, "demo");
  EXPECT_EQ(chip.mesh.columns, 3u);
  EXPECT_EQ(chip.mesh.rows, 2u);
  EXPECT_EQ(chip.crossbarsPerTile, 2u);
  EXPECT_EQ(chip.crossbar.columns, 64u);
  EXPECT_EQ(chip.clockMhz.value, 1000);
  EXPECT_EQ(chip.router.packetsTo, PacketTarget::Crossbar);
  EXPECT_EQ(chip.router.bufferFlits, 4u);
  EXPECT_EQ(chip.router.stages->link, 2u); // of four cycles
  EXPECT_EQ(chip.energy.hopXPj.value, 3);
  EXPECT_EQ(chip.energy.hopYPj.value, 2);
  EXPECT_EQ(chip.energy.hopXPj.source, "arch.yaml: tile[0..5], energy_east_hop, energy_west_hop");
  EXPECT_EQ(chip.energy.axonInPj.value, 1);
  EXPECT_EQ(chip.energy.axonOutPj.value, 111);
  EXPECT_EQ(chip.energy.synapsePj.value, 36); // with the dendrite
  EXPECT_EQ(chip.energy.neuronAccessPj.value, 51.2);
  EXPECT_EQ(chip.energy.neuronUpdatePj.value, 21.6);
  EXPECT_EQ(chip.energy.neuronSpikePj.value, 69.3);
  EXPECT_EQ(chip.latency.rowReadCycles.value, 16);
  EXPECT_EQ(chip.latency.synapseCycles.value, 4);
  EXPECT_EQ(chip.latency.neuronAccessCycles.value, 6);
  EXPECT_EQ(chip.latency.neuronUpdateCycles.value, 2);
  EXPECT_EQ(chip.latency.neuronSpikeCycles.value, 30);
  EXPECT_EQ(chip.latency.axonOutCycles.value, 5);
  for (auto [tiles, cycles] : {std::pair{1u, 10u}, {2u, 20u}, {3u, 20u}, {4u, 40u}, {6u, 40u}})
    EXPECT_EQ(chip.barrierCycles(tiles), cycles) << tiles;
  ASSERT_EQ(imported.notes.size(), 1u); // the second kind of synapse
  EXPECT_THAT(imported.notes[0], HasSubstr("'sparse' is left out"));
  EXPECT_THAT(imported.network, IsEmpty());
}

TEST_F(SanafeImport, TimesThatAreNoWholeCyclesAreSaid) {
  ImportedSanafe rounded = llvm::cantFail(
      import(with(kArchitecture, "latency_spike_out: 30.0e-9", "latency_spike_out: 30.25e-9"),
             kNetwork)); // a finer clock would make hops too long
  EXPECT_EQ(chipOf(rounded).clockMhz.value, 10000);
  EXPECT_THAT(rounded.notes,
              ::testing::Contains(HasSubstr("neuron_spike_cycles is 30.25 ns, rounded to 30")));
  ImportedSanafe finer = llvm::cantFail(import(
      with(kArchitecture, "latency_message_in: 16.0e-9", "latency_message_in: 16.3e-9"), kNetwork));
  EXPECT_EQ(chipOf(finer).clockMhz.value, 10000);
  EXPECT_EQ(chipOf(finer).latency.rowReadCycles.value, 163);
}

/// Tile 2 is at column 1, row 0; tile 3 at column 1, row 1, which is tile 4 here. The tile of the
/// inputs counts in SANA-FE's barriers, not in ours.
TEST_F(SanafeImport, AMappedNetworkIsANetworkWithPlaces) {
  ImportedSanafe imported = llvm::cantFail(import(kArchitecture, kNetwork));
  Chip chip = chipOf(imported);
  EXPECT_EQ(chip.mesh.hostTiles, std::vector<TileId>{1});
  EXPECT_EQ(chip.barrierCycles(1), 20u);
  EXPECT_EQ(chip.barrierCycles(3), 40u);
  EXPECT_EQ(imported.steps, 3u);
  EXPECT_EQ(imported.inputs, 3u);
  // Every second step, from the second on.
  EXPECT_EQ(part(imported, "events.csv"), "t_us,address\n0,0\n1000,1\n1000,2\n2000,0\n");
  EXPECT_EQ(part(imported, "in-out.csv"),
            "source, target, weight\n0, 0, 1\n1, 0, 4\n2, 0, 7\n0, 1, 2\n1, 1, 5\n2, 1, 8\n0, 2, "
            "3\n1, 2, 6\n2, 2, 9\n");
  EXPECT_EQ(part(imported, "out-out.csv"), "source, target, weight\n1, 0, -4.5\n");
  ASSERT_EQ(imported.placed.size(), 1u);
  EXPECT_EQ(imported.placed[0].name, "out");
  EXPECT_EQ(imported.placed[0].places,
            (std::vector<std::pair<uint32_t, uint32_t>>(3, {4, 1}))); // core 2 after the host
}

TEST_F(SanafeImport, NetworksAreReadByTheirOwnReader) {
  std::string text = with(kNetwork, "- 2: [soma: {reset_mode: hard}]", "- 2: {bias: 0.5}");
  text = with(text, "threshold: 2,", "leak_decay: 0.75, threshold: 2, reset: -1,");
  ImportedSanafe imported = llvm::cantFail(import(kArchitecture, text));
  for (const NamedText &each : imported.parts)
    folder.write(each.name, each.text);
  ModelOptions options;
  options.path = folder.write("network.yaml", imported.network);
  mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
  auto module = importNetwork(context, options);
  ASSERT_TRUE(bool(module)) << toText(module.takeError()) << imported.network;
  // A spike adds its weight, 3 / 4 of the membrane stay; above the threshold: at the next number.
  EXPECT_THAT(imported.network, HasSubstr("neuron: lif"));
  EXPECT_THAT(imported.network, HasSubstr("tau: 4, r: 4, "));
  EXPECT_THAT(imported.network, HasSubstr("threshold: 2.0000002, "));
  EXPECT_THAT(imported.network, HasSubstr("v_reset: -1, current: [0, 0, 0.5]"));
}

/// Up to four units of synapses are kinds of synapses, by their names where these say one.
TEST_F(SanafeImport, UnitsOfSynapsesAreKinds) {
  std::string text =
      with(kNetwork, "  edges:\n",
           "    - {name: windows, neurons: [0..2: {threshold: 2}]}\n"
           "    - {name: lists, neurons: [0..2: {threshold: 2}]}\n"
           "    - {name: others, neurons: [0..2: {threshold: 2}]}\n  edges:\n"
           "    - in -> windows: [type: dense, weight: [1, 2, 3, 4, 5, 6, 7, 8, 9]]\n"
           "    - in -> lists: [type: dense, weight: [1, 2, 3, 4, 5, 6, 7, 8, 9]]\n");
  text = with(text, "  - out: {core: 3.2}\n",
              "  - windows: {core: 3.1, synapse: my_conv}\n  - lists: {core: 3.1, synapse: fast}\n"
              "  - others: {core: 3.2}\n  - out: {core: 3.2}\n");
  const char *before = "            - name: sparse\n";
  auto unit = [](const char *name, const char *pj, const char *ns) {
    return std::string("            - name: ") + name +
           "\n              attributes: {model: current_based, energy_process_spike: " + pj +
           "e-12, latency_process_spike: " + ns + "e-9}\n";
  };
  std::string architecture = with(
      kArchitecture, before, unit("my_conv", "24.0", "2.0") + unit("fast", "1.0", "1.0") + before);
  ImportedSanafe imported = llvm::cantFail(import(architecture, text));
  Chip chip = chipOf(imported);
  // With the dendrite's 0.5 pJ and 1 ns.
  EXPECT_EQ(chip.energy.synapsePjOf(SynapseKind::Convolution), 24.5);
  EXPECT_EQ(chip.energy.synapsePjOf(SynapseKind::Dense), 36);
  EXPECT_EQ(chip.energy.synapsePjOf(SynapseKind::Sparse), 1.5); // the kind that is left
  EXPECT_EQ(chip.latency.synapseCyclesOf(SynapseKind::Convolution), 3);
  EXPECT_EQ(chip.latency.synapseCyclesOf(SynapseKind::Dense), 4);
  EXPECT_EQ(chip.latency.synapseCyclesOf(SynapseKind::Sparse), 2);
  for (const char *projection : {"to: windows, connect: {file: in-windows.csv}, kind: convolution,",
                                 "to: lists, connect: {file: in-lists.csv}, kind: sparse,",
                                 "to: out, connect: {file: in-out.csv}, kind: dense,"})
    EXPECT_THAT(imported.network, HasSubstr(projection));
  // A fourth one has the price that synapses share, as its name says no kind.
  architecture = with(architecture, before, unit("rest", "9.0", "5.0") + before);
  std::string four = with(text, "- others: {core: 3.2}", "- others: {core: 3.2, synapse: rest}");
  imported = llvm::cantFail(import(architecture, four));
  chip = chipOf(imported);
  EXPECT_EQ(chip.energy.synapsePjOf(SynapseKind::Unknown) +
                chip.energy.synapsePjOf(SynapseKind::Sparse),
            9.5 + 1.5);
  EXPECT_EQ(chip.energy.synapsePjOf(SynapseKind::Convolution), 24.5);
  EXPECT_EQ(chip.energy.synapsePjOf(SynapseKind::Dense), 36);
  EXPECT_THAT(imported.network, HasSubstr("kind: unknown,"));
  // A fifth one, and two in one group.
  architecture = with(architecture, before, unit("more", "8.0", "5.0") + before);
  std::string five = with(four, "- out: {core: 3.2}", "- out: {core: 3.2, synapse: more}");
  five = with(five, "{name: others, neurons: [0..2: {threshold: 2}]}",
              "{name: others, neurons: [0..2: {threshold: 2}]}\n    - {name: last, neurons: "
              "[0..2: {threshold: 2}]}");
  five = with(five, "  - others: {core: 3.2", "  - last: {core: 3.2}\n  - others: {core: 3.2");
  EXPECT_THAT(errorOf(architecture, five),
              HasSubstr("at other costs than 4 units that others use, and a chip here has prices "
                        "for 4 kinds of synapses; give some of them one price"));
}

/// Kernels [row][column][input channel][kernel], neurons channel by channel.
TEST_F(SanafeImport, ConvolutionsByDefinition) {
  std::string weights;
  for (int k = 0; k < 2 * 1 * 2 * 3; ++k)
    weights += (k ? ", " : "") + std::to_string(k);
  std::string text =
      "network:\n  groups:\n    - {name: in, neurons: [0..23: {spikes: [1]}]}\n"
      "    - {name: out, neurons: [0..17: {}]}\n  edges:\n    - in -> out:\n"
      "        type: conv2d\n        input_height: 3\n        input_width: 4\n"
      "        input_channels: 2\n        kernel_height: 2\n        kernel_width: 1\n"
      "        kernel_count: 3\n        stride_width: 2\n        stride_height: 1\n"
      "        weight: [" +
      weights + "]\nmappings:\n";
  for (int n = 0; n < 24; ++n) // one unit for each input
    text += "  - in." + std::to_string(n) + ": {core: 0.0, soma: \"in[" + std::to_string(n % 10) +
            "]\"}\n";
  text += "  - out: {core: 0.1}\n";
  // 3 kernels of 2 rows and 2 columns of outputs are 12 neurons, not 18.
  EXPECT_THAT(errorOf(kArchitecture, text),
              HasSubstr("goes from 2 x 3 x 4 to 3 x 2 x 2 neurons, and its groups have 24 and 18"));
  text = with(text, "0..17", "0..11");
  ImportedSanafe imported = llvm::cantFail(import(kArchitecture, text));
  std::string expected = "source, target, weight\n";
  for (int k = 0; k < 3; ++k)
    for (int y = 0; y < 2; ++y)
      for (int x = 0; x < 2; ++x)
        for (int c = 0; c < 2; ++c)
          for (int i = 0; i < 2; ++i)
            expected += std::to_string(c * 12 + (y + i) * 4 + 2 * x) + ", " +
                        std::to_string(k * 4 + y * 2 + x) + ", " +
                        std::to_string((i * 2 + c) * 3 + k) + "\n";
  EXPECT_EQ(part(imported, "in-out.csv"), expected);
}

TEST_F(SanafeImport, EdgesThatMeetAreOneSynapse) {
  ImportedSanafe imported = llvm::cantFail(
      import(kArchitecture, with(kNetwork, "    - out.1 -> out.0: {weight: -4.5}\n",
                                 "    - in -> out: {type: sparse, source_target_pairs: [[2, 1], "
                                 "[0, 0]], synapse: {weight: [0.5, 0.25]}}\n")));
  EXPECT_THAT(part(imported, "in-out.csv"), HasSubstr("\n0, 0, 1.25\n"));
  EXPECT_THAT(part(imported, "in-out.csv"), HasSubstr("\n2, 1, 8.5\n"));
  EXPECT_THAT(imported.notes, ::testing::Contains(HasSubstr("2 edges join neurons that another")));
}

TEST_F(SanafeImport, OldKeysAreNamed) {
  for (auto [now, old] : {std::pair{"energy_east_hop", "energy_east"},
                          {"latency_message_in", "latency"},
                          {"energy_process_spike", "energy_spike"},
                          {"energy_access_neuron", "energy_inactive"},
                          {"latency_update_neuron", "latency_active"},
                          {"energy_spike_out", "energy_spiking"},
                          {"latency_sync", "latency_global_barrier"}})
    EXPECT_THAT(chipError(std::string(now) + ":", std::string(old) + ":"),
                ::testing::AllOf(
                    HasSubstr("arch.yaml:"),
                    HasSubstr(std::string("'") + old + "' is a key of SANA-FE before version 2")))
        << old;
  EXPECT_EQ(
      chipError("    link_buffer_size: 4", "    dimensions: 2"),
      "arch.yaml:7:17: error: 'dimensions' is a key of SANA-FE before version 2, which has none "
      "in its place; write the file for version 2");
}

TEST_F(SanafeImport, WhatHasNoCounterpartIsRefused) {
  EXPECT_EQ(
      networkError("- out: {core: 3.2}",
                   "- out.0..1: {core: 3.2, soma: dear}\n  - out.2: {core: 3.2}"),
      "arch.yaml:39:15: error: group 'out' uses 'lif', others use 'dear' at other costs, and a "
      "chip "
      "here has one price for somas; let all groups use one of them, or give them one price");
  EXPECT_THAT(networkError("- out: {core: 3.2}",
                           "- out.0..1: {core: 3.2, synapse: sparse}\n  - out.2: {core: 3.2}"),
              HasSubstr("at other costs, and the synapses of a group are of one unit here; divide "
                        "the group, or give them one price"));
  EXPECT_THAT(
      chipError("model: leaky_integrate_fire,", "model: leaky_integrate_fire, noise: file.txt,"),
      HasSubstr("soma 'lif' adds noise from a file (noise), for which chips here have "
                "nothing; leave it out"));
  EXPECT_THAT(chipError("model: leaky_integrate_fire,", "model: izhikevich,"),
              HasSubstr("soma 'lif' has the model 'izhikevich', expected leaky_integrate_fire, "
                        "truenorth, input"));
  EXPECT_THAT(
      chipError("model: leaky_integrate_fire,", "model: leaky_integrate_fire, plugin: lib.so,"),
      HasSubstr("soma 'lif' is a plugin"));
  EXPECT_THAT(chipError("model: accumulator, energy_update: 0.5e-12",
                        "model: taps, energy_update: 0.5e-12"),
              HasSubstr("has the model 'taps', expected accumulator"));
  EXPECT_THAT(chipError("buffer_position: soma, buffer_inside_unit",
                        "buffer_position: dendrite, buffer_inside_unit"),
              HasSubstr("expected buffer_position: soma"));
  EXPECT_THAT(chipError("buffer_inside_unit: false", "buffer_inside_unit: true"),
              HasSubstr("keeps what arrives inside its soma"));
  EXPECT_THAT(chipError("topology: mesh", "topology: torus"), HasSubstr("the topology is no mesh"));
  EXPECT_THAT(networkError("weight: -4.5", "weight: -4.5, delay: 2"),
              HasSubstr("a delay of 2 in dendrites, which are not simulated here"));
  EXPECT_THAT(networkError("weight: -4.5", "weight: -4.5, tap: 1"),
              HasSubstr("unknown attribute 'tap' of an edge"));
  EXPECT_THAT(
      networkError("reset_mode: hard", "reset_mode: none"),
      HasSubstr("reset_mode of soma of neuron out.2 is none, and neurons here reset: expected "
                "hard or soft"));
  EXPECT_THAT(networkError("{reset_mode: hard}", "{reset_mode: hard, reverse_reset_mode: hard}"),
              HasSubstr("membranes here have no lower limit: expected none"));
  EXPECT_THAT(networkError("reset_mode: hard", "izhikevich_a: 1"),
              HasSubstr("unknown attribute 'izhikevich_a' of group 'out', which is of "
                        "leaky_integrate_fire"));
  EXPECT_THAT(networkError("reset_mode: hard", "reset_mode: soft"),
              HasSubstr("group 'out' has neurons that reset, leak or decay in different ways"));
  EXPECT_THAT(networkError("threshold: 2,", "threshold: 2, leak_decay: 1.5,"),
              HasSubstr("leak_decay of group 'out' is 1.5, expected 0 to 1"));
  EXPECT_THAT(networkError("threshold: 2,", "threshold: 2, input_decay: 0.5,"),
              HasSubstr("decays where the membrane does not"));
  EXPECT_THAT(networkError("- 1..2: {rate: 0.5}", "- 1: {poisson: 0.5}\n        - 2: {rate: 1}"),
              HasSubstr("group 'in' has both given and drawn (poisson) spikes"));
}

/// A core may have units that no neuron uses.
TEST_F(SanafeImport, UnitsWithoutACounterpartMayBeThere) {
  for (const char *unused :
       {"model: truenorth, noise: file.txt,", "model: truenorth, plugin: lib.so,",
        "model: hodgkin, force_update: true,"}) {
    auto imported = import(with(kArchitecture, "model: truenorth,", unused), kNetwork);
    EXPECT_TRUE(bool(imported)) << toText(imported.takeError());
    EXPECT_THAT(errorOf(with(kArchitecture, "model: truenorth,", unused),
                        with(kNetwork, "core: 3.2", "core: 3.2, soma: exact")),
                ::testing::AllOf(HasSubstr("soma 'exact' "), HasSubstr("; group 'out' uses it")));
  }
}

/// What each neuron is compared with, or written to, is not longer than files of these networks
/// are.
TEST_F(SanafeImport, LongListsAreRefused) {
  std::string unit = "{name: d, attributes: {model: accumulator, energy_update: 0.5e-12, "
                     "latency_update: 1.0e-9}}",
              units = unit, mapping = "  - out: {core: 3.2}\n", mappings = mapping;
  for (int more = 0; more < 256; ++more)
    units += ", " + unit;
  EXPECT_THAT(
      chipError("dendrite: [" + unit, "dendrite: [" + units),
      HasSubstr("dendrite of core 'core[0..1]' has more than 256 entries, the most that are read"));
  for (int more = 0; more < 5; ++more)
    mappings += "  - many: {core: 3.2}\n";
  std::string large =
      with(kNetwork, "  edges:\n", "    - name: many\n      neurons: [0..1048575]\n  edges:\n");
  EXPECT_THAT(errorOf(kArchitecture, with(large, mapping, mappings)),
              HasSubstr("more than 4194304 neurons are mapped, one that is mapped twice counted "
                        "twice, the most that are read"));
}

TEST_F(SanafeImport, WhatIsWrongIsNamedWithItsPlace) {
  EXPECT_EQ(networkError("out.1 -> out.0", "out.1 -> out.3"),
            "snn.yaml:15:23: error: '3' is no neuron of group 'out', which has 3");
  EXPECT_THAT(networkError("out.1 -> out.0", "out.1 -> none.0"),
              HasSubstr("there is no group 'none'"));
  EXPECT_THAT(networkError("out.1 -> out.0", "out.1 -> out"), HasSubstr("is no edge, expected"));
  EXPECT_THAT(networkError("7, 8, 9", "7, 8"),
              HasSubstr("has 8 weights, expected one for each of 3 x 3"));
  EXPECT_THAT(networkError("type: dense", "type: full"), HasSubstr("the type is 'full', expected"));
  EXPECT_THAT(networkError("  - out: {core: 3.2}\n", ""), HasSubstr("neuron out.0 is on no core"));
  EXPECT_THAT(networkError("core: 3.2", "core: 6.0"),
              HasSubstr("snn.yaml: error: group 'out' is mapped to tile 6, and arch.yaml has 6"));
  EXPECT_THAT(networkError("core: 3.2", "core: 3.3"),
              HasSubstr("to core 3 of tile 3, which has 3"));
  EXPECT_THAT(networkError("core: 3.2", "core: here"),
              HasSubstr("is 'here', expected tile and core"));
  EXPECT_THAT(networkError("soma: \"in[0]\"", "soma: in"), HasSubstr("it has several, as in[0]"));
  EXPECT_THAT(networkError("soma: \"in[0]\"", "soma: \"in[10]\""),
              HasSubstr("uses the soma 'in[10]', which core 'host' does not have"));
  EXPECT_THAT(networkError("out.1 -> out.0", "out.1 -> in.0"),
              HasSubstr("group 'in' is of inputs and has edges to it"));
  EXPECT_THAT(networkError("1..2", "1..4"),
              HasSubstr("has 9 weights, expected one for each of 5 x 3 pairs"));
  EXPECT_THAT(chipError("35.5e-12", "nan"), HasSubstr("is 'nan', expected a number"));
  EXPECT_THAT(chipError("35.5e-12", "-1"), HasSubstr("is -1, expected at least 0"));
  EXPECT_THAT(chipError("tile[0..5]", "tile[0..6]"), HasSubstr("is no range of at most 6"));
  EXPECT_THAT(chipError("width: 3", "width: 1000"),
              HasSubstr("expected a whole number from 1 to 256"));
  EXPECT_THAT(chipError("          axon_in: {name: a", "          axon_on: {name: a"),
              HasSubstr("core 'core[0..1]' has no key 'axon_in', which SANA-FE needs"));
  EXPECT_THAT(errorOf("nothing: here\n"), HasSubstr("the file has no key 'architecture'"));
}

/// A few bytes that ask for all memory.
TEST_F(SanafeImport, HugeRangesAreRefused) {
  EXPECT_THAT(networkError("- 0..1\n", "- 0..4294967294\n"),
              HasSubstr("is no range of at most 4194304"));
  EXPECT_THAT(networkError("- 0..1\n", "- 0..4194302\n"), HasSubstr("more than 4194304 neurons"));
  EXPECT_THAT(chipError("core[0..1]", "core[0..4000000000]"),
              HasSubstr("is no range of at most 64"));
  EXPECT_THAT(networkError("- 0..1\n", "- 0..1000000\n"),
              HasSubstr("expected one for each of 3 x"));
}

} // namespace
} // namespace spindle
