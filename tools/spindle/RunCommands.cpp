#include "tools/spindle/Commands.h"

#include "core/chip/sdf/Sdf3Xml.h"
#include "tools/spindle/flow/RunStages.h"

#include "CLI/CLI.hpp"

#include <filesystem>
#include <memory>

namespace spindle {

namespace {
struct RunArguments {
  std::string flow, folder, from, until, csv;
  std::vector<std::string> overrides;
  bool force = false, compare = false;
  GraphArguments graph;
};
} // namespace

static llvm::Error runFlow(const RunArguments &arguments, Ranks &ranks) {
  StageRange range;
  SPINDLE_ASSIGN(range.first, findStage(arguments.from));
  if (!arguments.until.empty()) {
    SPINDLE_ASSIGN(range.last, findStage(arguments.until));
  }
  if (range.last && range.first > *range.last)
    return inputError("", "--from " + arguments.from + " comes after --until " + arguments.until);
  std::string folder = arguments.folder;
  if (folder.empty())
    folder = "out/" + std::filesystem::path(arguments.flow).stem().string();
  if (arguments.from == "analyze" && arguments.until == "analyze" && isSdf3Xml(arguments.flow))
    return analyzeGraph({arguments.flow, arguments.graph.architecture, arguments.graph.binding,
                         arguments.graph.withStorage, arguments.overrides},
                        folder);
  for (auto [option, isGiven] : {std::pair{"--storage", arguments.graph.withStorage},
                                 {"--architecture", !arguments.graph.architecture.empty()}})
    if (isGiven)
      return inputError(arguments.flow, std::string(option) +
                                            " is for data-flow graphs in XML (SDF3), found a flow");
  SPINDLE_ASSIGN(Flow flow, readFlow(arguments.flow, arguments.overrides));
  if (arguments.compare)
    return comparePartitions(flow, folder, arguments.csv);
  ProgressDisplay progress;
  ProgressTicker ticker(progress);
  return runStages(flow, folder, range, arguments.force, progress, ranks);
}

static CLI::App *addFlowCommand(CLI::App &app, Command &command, Ranks &ranks,
                                const std::string &name, const std::string &summary,
                                const std::shared_ptr<RunArguments> &arguments) {
  CLI::App *sub = app.add_subcommand(name, summary);
  sub->add_option("flow", arguments->flow, "flow file (YAML)")->type_name("FILE")->required();
  sub->add_option("--out", arguments->folder, "folder of the stage files (out/NAME-OF-FLOW)")
      ->type_name("FOLDER");
  sub->add_option("--set", arguments->overrides, "override a key: emulation.steps=16")
      ->take_all()
      ->expected(1);
  sub->callback([arguments, &command, &ranks] {
    command = [arguments, &ranks] { return runFlow(*arguments, ranks); };
  });
  return sub;
}

/// `simulate` works on the files of a flow, or on a trace of packets.
static void addReplay(CLI::App &simulate, Command &command, Ranks &ranks,
                      const std::shared_ptr<RunArguments> &arguments) {
  auto replay = std::make_shared<ReplayArguments>();
  CLI::Option *flow = simulate.get_option("flow")->required(false);
  CLI::Option *packets =
      simulate.add_option("--packets", replay->packets, "packets to replay, in place of a flow")
          ->type_name("FILE")
          ->excludes(flow)
          ->excludes("--set");
  simulate.add_option("--chip", replay->chip, "the chip for --packets: name or file (YAML)")
      ->type_name("CHIP")
      ->needs(packets);
  simulate.add_option("--vcd", replay->links, "links whose flits go to links.vcd: 0-1,5-13")
      ->type_name("LINKS")
      ->needs(packets);
  simulate.add_option("--engine", replay->engine, "what carries --packets (model)")
      ->type_name("ENGINE:{model,tlm,pins}")
      ->check(CLI::IsMember({"model", "tlm", "pins"}))
      ->needs(packets);
  simulate.callback([=, &command, &ranks] {
    command = [=, &ranks]() -> llvm::Error {
      if (!arguments->flow.empty())
        return runFlow(*arguments, ranks);
      if (replay->packets.empty() || replay->chip.empty())
        return inputError("", "simulate needs a flow file, or packets and their chip: --packets "
                              "TRACE.csv --chip CHIP.yaml");
      return replayPackets(*replay,
                           arguments->folder.empty()
                               ? "out/" + std::filesystem::path(replay->packets).stem().string()
                               : arguments->folder);
    };
  });
}

/// `analyze` works on the files of a flow, or on a graph in XML.
static void addGraphOptions(CLI::App &analyze, GraphArguments &graph) {
  analyze.add_flag("--storage", graph.withStorage,
                   "of a graph in XML: the smallest buffers for every throughput");
  CLI::Option *architecture = analyze
                                  .add_option("--architecture", graph.architecture,
                                              "of a graph in XML: the tiles that run it (SDF3)")
                                  ->type_name("FILE");
  analyze
      .add_option("--binding", graph.binding,
                  "tile and actors on each line; without: the best that is found")
      ->type_name("FILE")
      ->needs(architecture);
}

void addRunCommands(CLI::App &app, Command &command, Ranks &ranks) {
  auto arguments = std::make_shared<RunArguments>();
  arguments->from = stages().front().name;
  CLI::App *run = addFlowCommand(app, command, ranks, "run", "every stage, in order", arguments);
  std::string stageNames; // STAGE:{import,convert,…}
  for (const Stage &stage : stages())
    stageNames += (stageNames.empty() ? "STAGE:{" : ",") + std::string(stage.name);
  stageNames += "}";
  run->add_option("--from", arguments->from, "first stage; reads the files of the one before")
      ->type_name(stageNames);
  run->add_option("--until", arguments->until, "last stage")->type_name(stageNames);
  run->add_flag("--force", arguments->force, "also the stages whose files are up to date");
  for (const Stage &stage : stages()) {
    auto single = std::make_shared<RunArguments>();
    single->from = single->until = stage.name;
    single->force = true; // who names one stage wants it to work
    CLI::App *sub = addFlowCommand(app, command, ranks, stage.name,
                                   std::string("only: ") + stage.summary, single);
    if (single->from == "analyze")
      addGraphOptions(*sub, single->graph);
    if (single->from == "partition") {
      CLI::Option *compare = sub->add_flag("--compare", single->compare,
                                           "all algorithms beside lower bounds, and no files");
      sub->add_option("--csv", single->csv, "the table of --compare as a file")
          ->type_name("FILE")
          ->needs(compare);
    }
    if (single->from == "simulate")
      addReplay(*sub, command, ranks, single);
  }
}

} // namespace spindle
