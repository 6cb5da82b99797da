// `spindle sanafe export`, `import`: files of SANA-FE.
#include "tools/spindle/Commands.h"
#include "tools/spindle/Notices.h"

#include "core/chip/file/PlacementList.h"
#include "core/network/SpikeTrace.h"
#include "core/run/RunRecord.h"
#include "core/run/StageFileNames.h"
#include "core/support/files/File.h"
#include "core/support/files/FolderLock.h"
#include "core/support/files/StagingFolder.h"
#include "dialects/snn/Names.h"
#include "dialects/snn/Snn.h"
#include "lib/frontend/network/NetworkImport.h"
#include "lib/frontend/sanafe/SanafeExport.h"
#include "lib/frontend/sanafe/SanafeImport.h"
#include "tools/spindle/flow/Flow.h"
#include "tools/spindle/stages/ModuleFile.h"

#include "CLI/CLI.hpp"
#include "fmt/format.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

#include <filesystem>
#include <map>

namespace spindle {

namespace {
struct SanafeExportArguments {
  std::string folder, out, chip;
  uint32_t sample = 0;
};
struct SanafeImportArguments {
  SanafeSource source;
  std::string out;
};
} // namespace

/// The chip that the stage `map` was given.
static llvm::Expected<std::string> chipOfRun(const std::string &folder) {
  std::string path = folder + "/run.json";
  SPINDLE_ASSIGN(RunRecord record, readRunRecord(path));
  const StageRecord *stage = record.find("map");
  if (!stage)
    return inputError(path,
                      "the record has no stage map that came to its end; run the flow, or name "
                      "the chip with --chip");
  const Json &settings = stage->origin.settings;
  if (settings.contains("chip") && settings["chip"].is_string() &&
      isChipName(settings["chip"].get<std::string>()))
    return settings["chip"].get<std::string>();
  for (const auto &[file, hash] : stage->origin.sources)
    if (file.ends_with(".yaml") || file.ends_with(".yml"))
      return file;
  return inputError(path,
                    "the record does not say which chip the stage map was given; name it with "
                    "--chip");
}

static llvm::Error exportRun(const SanafeExportArguments &arguments) {
  auto file = [&](const char *name) { return arguments.folder + "/" + name; };
  std::string chipFile = arguments.chip;
  if (chipFile.empty()) {
    SPINDLE_ASSIGN(chipFile, chipOfRun(arguments.folder));
  }
  SPINDLE_ASSIGN(chipFile, findChip(chipFile, "", "--chip"));
  SPINDLE_ASSIGN(Chip chip, readChip(chipFile));
  auto context = makeNetworkContext();
  SPINDLE_ASSIGN(auto module, readModule(*context, file(run::kSnnModule)));
  SPINDLE_ASSIGN(SpikeTrace trace, readSpikeTrace(file(run::kSpikes)));
  SPINDLE_ASSIGN(SpikingGraph graph, readSpikingGraph(file(run::kGraph)));
  SPINDLE_RETURN_IF_ERROR(needSynapses(graph, file(run::kGraph), "SANA-FE"));
  SPINDLE_ASSIGN(Clustering clustering, readClustering(file(run::kClusters)));
  SPINDLE_ASSIGN(Mapping mapping, readMapping(file(run::kMapping)));
  if (llvm::Error error = verify(mapping, clustering, chip))
    return llvm::handleErrors(std::move(error), [&](std::unique_ptr<SpindleError> found) {
      return inputError(file(run::kMapping), fmt::format("{}: {}; is it of another chip than {}?",
                                                         found->place, found->message, chipFile));
    });
  SPINDLE_ASSIGN(SanafeFiles files, exportSanafe({*module, trace, graph, clustering, mapping, chip},
                                                 arguments.sample));
  SPINDLE_RETURN_IF_ERROR(makeFolder(arguments.out));
  SPINDLE_RETURN_IF_ERROR(writeFile(arguments.out + "/arch.yaml", files.architecture));
  SPINDLE_RETURN_IF_ERROR(writeFile(arguments.out + "/snn.yaml", files.network));
  for (const std::string &note : files.notes)
    printNotice("note: " + note);
  fmt::print("arch.yaml and snn.yaml: {} neurons, {} synapses, {} steps\n", graph.neurons(),
             graph.synapses(), files.steps);
  return llvm::Error::success();
}

/// The numbers that neurons of populations have in a network file.
static llvm::Expected<std::map<std::string, NeuronId>> firstNeurons(const std::string &network) {
  auto context = makeNetworkContext();
  ModelOptions options;
  options.path = network;
  SPINDLE_ASSIGN(auto module, importNetwork(*context, options));
  std::map<std::string, NeuronId> firsts;
  NeuronId next = 0;
  auto function = module->lookupSymbol<mlir::func::FuncOp>("main");
  for (const snn::NamedPopulation &each : snn::namedPopulations(function.getBody().front())) {
    firsts[each.name] = next;
    next += static_cast<NeuronId>(snn::sizeOf(each.op->getResult(0)));
  }
  return firsts;
}

/// What an import makes. Nothing that an earlier one wrote goes before all of this one is known to
/// be right.
class SanafeImport {
public:
  static llvm::Expected<SanafeImport> into(const std::string &folder) {
    SPINDLE_ASSIGN(StagingFolder staging, StagingFolder::create(folder));
    return SanafeImport(folder, std::move(staging));
  }
  /// Where a file waits.
  std::string path(const std::string &name) const { return staging.path() + "/" + name; }
  llvm::Error write(const std::string &name, const std::string &text) {
    names.push_back(name);
    return writeFile(path(name), text);
  }
  llvm::Error writeChip(const ImportedSanafe &files, Chip &chip) {
    SPINDLE_RETURN_IF_ERROR(write("chip.yaml", files.chip));
    SPINDLE_ASSIGN(chip, readChip(path("chip.yaml")));
    return llvm::Error::success();
  }
  llvm::Error writeNetwork(const ImportedSanafe &files, const std::string &flow, size_t &placed);
  llvm::Error inFolder(llvm::Error error) const { return staging.inParent(std::move(error)); }
  llvm::Error publish() {
    Uninterrupted publishing;
    std::error_code status;
    for (const std::string &name : names) {
      std::filesystem::rename(path(name), folder + "/" + name, status);
      if (status)
        return inputError(folder + "/" + name, "cannot write: " + status.message());
    }
    return llvm::Error::success();
  }

private:
  SanafeImport(std::string to, StagingFolder made)
      : folder(std::move(to)), staging(std::move(made)) {}
  std::string folder;
  StagingFolder staging;
  std::vector<std::string> names;
};

llvm::Error SanafeImport::writeNetwork(const ImportedSanafe &files, const std::string &flow,
                                       size_t &placedNeurons) {
  for (const NamedText &file : files.parts)
    SPINDLE_RETURN_IF_ERROR(write(file.name, file.text));
  SPINDLE_RETURN_IF_ERROR(write("network.yaml", files.network));
  SPINDLE_ASSIGN(auto firsts, firstNeurons(path("network.yaml")));
  std::vector<ListedNeuron> placed;
  for (const auto &population : files.placed)
    for (size_t n = 0; n < population.places.size(); ++n)
      placed.push_back({firsts[population.name] + static_cast<NeuronId>(n),
                        {population.places[n].first, population.places[n].second},
                        0});
  std::ranges::sort(placed, {}, &ListedNeuron::neuron);
  placedNeurons = placed.size();
  SPINDLE_RETURN_IF_ERROR(write("placement.csv", placementText(placed)));
  return write("flow.yaml", flow);
}

/// The flow that runs an imported network.
static std::string flowOf(const ImportedSanafe &files) {
  std::string emulation =
      files.inputs > 0
          ? fmt::format(
                "dataset: {{format: events, list: recordings.txt, steps: {}, shape: [{}]}}\n"
                "emulation: {{steps: {}, record_samples: 1}}\n",
                files.steps, files.inputs, files.steps)
          : fmt::format("emulation: {{duration: {}, samples: 1, record_samples: 1}}\n",
                        files.steps);
  return fmt::format("model: {{path: network.yaml, list_synapses: true}}\n{}chip: chip.yaml\n"
                     "placement: placement.csv\nsimulation: {{samples: 1}}\n",
                     emulation);
}

static llvm::Error importFiles(const SanafeImportArguments &arguments) {
  SPINDLE_ASSIGN(ImportedSanafe files, importSanafe(arguments.source));
  SPINDLE_RETURN_IF_ERROR(makeFolder(arguments.out));
  SPINDLE_ASSIGN(FolderLock lock, FolderLock::take(arguments.out));
  SPINDLE_ASSIGN(SanafeImport made, SanafeImport::into(arguments.out));
  Chip chip;
  SPINDLE_RETURN_IF_ERROR(made.inFolder(made.writeChip(files, chip)));
  bool hasNetwork = !arguments.source.network.empty();
  size_t placed = 0;
  if (hasNetwork)
    SPINDLE_RETURN_IF_ERROR(made.inFolder(made.writeNetwork(files, flowOf(files), placed)));
  SPINDLE_RETURN_IF_ERROR(made.publish());
  for (const std::string &note : files.notes)
    printNotice("note: " + note);
  if (hasNetwork)
    fmt::print("chip.yaml, network.yaml, placement.csv: {} neurons on the chip, {} steps; go on "
               "with spindle run {}/flow.yaml\n",
               placed, files.steps, arguments.out);
  else
    fmt::print("chip.yaml: {} x {} tiles of {} crossbars\n", chip.mesh.columns, chip.mesh.rows,
               chip.crossbarsPerTile);
  return llvm::Error::success();
}

static void addExport(CLI::App &sanafe, Command &command) {
  auto arguments = std::make_shared<SanafeExportArguments>();
  CLI::App *sub =
      sanafe.add_subcommand("export", "a run up to map as arch.yaml and snn.yaml (version 2)");
  sub->add_option("folder", arguments->folder, "folder of the stage files")
      ->type_name("FOLDER")
      ->required();
  sub->add_option("--out", arguments->out, "folder to write to")->type_name("FOLDER")->required();
  sub->add_option("--chip", arguments->chip,
                  "the chip, where the run does not say it: name or file")
      ->type_name("CHIP");
  sub->add_option("--sample", arguments->sample,
                  "the recorded sample whose input spikes are written")
      ->capture_default_str();
  sub->callback([=, &command] { command = [=] { return exportRun(*arguments); }; });
}

static void addImport(CLI::App &sanafe, Command &command) {
  auto arguments = std::make_shared<SanafeImportArguments>();
  CLI::App *sub = sanafe.add_subcommand(
      "import", "an architecture as a chip, a mapped network as a flow with its placement");
  sub->add_option("architecture", arguments->source.architecture, "architecture (YAML, version 2)")
      ->type_name("FILE")
      ->required();
  sub->add_option("network", arguments->source.network, "network with its mappings (YAML)")
      ->type_name("FILE");
  sub->add_option("--out", arguments->out, "folder to write to")->type_name("FOLDER")->required();
  sub->add_option("--steps", arguments->source.steps,
                  "steps of the flow; default: as long as spikes are listed")
      ->check(CLI::Range(1, 1000000));
  sub->callback([=, &command] { command = [=] { return importFiles(*arguments); }; });
}

void addSanafeCommands(CLI::App &app, Command &command) {
  CLI::App *sanafe =
      app.add_subcommand("sanafe", "exchange chips and mapped networks with SANA-FE");
  sanafe->require_subcommand(1);
  addExport(*sanafe, command);
  addImport(*sanafe, command);
}

} // namespace spindle
