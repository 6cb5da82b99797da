// `spindle explore SWEEP.yaml` and `spindle collect FOLDER`.
#include "tools/spindle/Commands.h"
#include "tools/spindle/explore/Explore.h"

#include "CLI/CLI.hpp"
#include "fmt/format.h"
#include "llvm/ADT/StringRef.h"

#include <cstdlib>
#include <memory>

namespace spindle {

namespace {
struct ExploreArguments {
  ExploreOptions options;
  std::string shard;
};
} // namespace

static llvm::Expected<Shard> readShard(const std::string &text) {
  Shard shard;
  auto [index, count] = llvm::StringRef(text).split('/');
  if (index.getAsInteger(10, shard.index) || count.getAsInteger(10, shard.count) ||
      shard.index < 1 || shard.index > shard.count)
    return inputError("--shard", fmt::format("found '{}', expected I/N with I from 1 to N, such as "
                                             "1/4",
                                             text));
  return shard;
}

/// Of processes that mpirun started each one takes its part; otherwise one process takes all.
static Shard shardOfRank() {
  for (auto [rank, size] : {std::pair("OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE"),
                            std::pair("PMI_RANK", "PMI_SIZE")}) {
    const char *own = std::getenv(rank), *all = std::getenv(size);
    Shard shard;
    if (own && all && !llvm::StringRef(own).getAsInteger(10, shard.index) &&
        !llvm::StringRef(all).getAsInteger(10, shard.count) && shard.index < shard.count) {
      ++shard.index;
      return shard;
    }
  }
  return {};
}

static llvm::Error exploreShard(ExploreArguments &arguments) {
  arguments.options.shard = shardOfRank();
  if (!arguments.shard.empty()) {
    SPINDLE_ASSIGN(arguments.options.shard, readShard(arguments.shard));
  }
  return explore(arguments.options);
}

void addExploreCommands(CLI::App &app, Command &command) {
  auto arguments = std::make_shared<ExploreArguments>();
  CLI::App *sub =
      app.add_subcommand("explore", "many settings of a flow, and which of them nobody beats");
  sub->add_option("sweep", arguments->options.sweep, "sweep file (YAML)")
      ->type_name("FILE")
      ->required();
  sub->add_option("--out", arguments->options.folder, "folder of the points (out/NAME-OF-SWEEP)")
      ->type_name("FOLDER");
  sub->add_option("--shard", arguments->shard, "only the points I, I + N, … of the sweep")
      ->type_name("I/N");
  sub->add_flag("--retry", arguments->options.retry, "run points that failed again");
  sub->callback([=, &command] { command = [=] { return exploreShard(*arguments); }; });

  auto folder = std::make_shared<std::string>();
  CLI::App *collect = app.add_subcommand(
      "collect", "the points of an exploration that are there, as a page, CSV and SQLite");
  collect->add_option("folder", *folder, "folder of the points")->type_name("FOLDER")->required();
  collect->callback([=, &command] { command = [=] { return collectPoints(*folder); }; });
}

} // namespace spindle
