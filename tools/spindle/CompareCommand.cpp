// `spindle partition FLOW --compare`: every algorithm on the same network, beside lower bounds.
#include "tools/spindle/Commands.h"

#include "core/network/SpikingGraph.h"
#include "core/run/StageFileNames.h"
#include "core/support/files/File.h"
#include "lib/partition/Compare.h"
#include "lib/partition/Decompose.h"
#include "lib/partition/Partition.h"
#include "lib/partition/Strategies.h"
#include "lib/partition/bounds/PartitionBounds.h"
#include "tools/spindle/flow/Flow.h"

#include "fmt/format.h"
#include "fmt/ranges.h"

#include <algorithm>
#include <chrono>
#include <filesystem>

namespace spindle {

namespace {

struct ComparedPartition {
  std::string name;
  PartitionFigures figures;
  double seconds = 0;
};

/// A line of the table and of the CSV file; cells that say nothing are empty.
using TableLine = std::vector<std::string>;

const TableLine kTitles = {"algorithm",    "clusters",       "over", "deliveries", "over",
                           "partial sums", "slowest cycles", "over", "seconds"};
const TableLine kCsvTitles = {
    "algorithm",    "clusters",       "clusters_over_bound", "deliveries", "deliveries_over_bound",
    "partial_sums", "slowest_cycles", "slowest_over_bound",  "seconds"};

} // namespace

static std::string overBound(double value, double bound) {
  return bound > 0 ? fmt::format("{:.4f}", value / bound - 1) : "";
}

static TableLine lineOf(const ComparedPartition &row, const PartitionBounds &bounds) {
  const PartitionFigures &figures = row.figures;
  return {row.name,
          fmt::format("{}", figures.clusters),
          overBound(double(figures.clusters), double(bounds.clusters())),
          fmt::format("{}", figures.deliveries),
          overBound(double(figures.deliveries), double(bounds.deliveries)),
          fmt::format("{}", figures.partialSums),
          fmt::format("{:.0f}", figures.slowestCycles),
          overBound(figures.slowestCycles, bounds.slowestCycles),
          fmt::format("{:.2f}", row.seconds)};
}

static TableLine lineOf(const PartitionBounds &bounds) {
  return {"bound",
          fmt::format("{}", bounds.clusters()),
          "",
          fmt::format("{}", bounds.deliveries),
          "",
          fmt::format("{}", bounds.partialSums),
          fmt::format("{:.0f}", bounds.slowestCycles),
          "",
          ""};
}

/// Numbers to the right, parts over a bound in percent.
static std::string tableOf(const std::vector<TableLine> &lines) {
  std::vector<size_t> width(kTitles.size());
  std::vector<TableLine> shown{kTitles};
  for (TableLine line : lines) {
    for (size_t i = 0; i < line.size(); ++i)
      if (kTitles[i] == "over" && !line[i].empty())
        line[i] = fmt::format("{:.1f} %", 100 * std::stod(line[i]));
    shown.push_back(std::move(line));
  }
  for (const TableLine &line : shown)
    for (size_t i = 0; i < line.size(); ++i)
      width[i] = std::max(width[i], line[i].size());
  std::string text;
  for (const TableLine &line : shown) {
    text += fmt::format("{:<{}}", line[0], width[0]);
    for (size_t i = 1; i < line.size(); ++i)
      text += fmt::format("  {:>{}}", line[i], width[i]);
    text.erase(text.find_last_not_of(' ') + 1);
    text += "\n";
  }
  return text;
}

static std::string csvOf(const std::vector<TableLine> &lines) {
  std::string text = fmt::format("{}\n", fmt::join(kCsvTitles, ","));
  for (const TableLine &line : lines)
    text += fmt::format("{}\n", fmt::join(line, ","));
  return text;
}

/// What none of the figures says: where the bounds come from, and what does not fit.
static std::string notesOf(const std::vector<ComparedPartition> &rows,
                           const PartitionBounds &bounds, uint64_t usable) {
  std::string linear = bounds.linear > 0 ? fmt::format(", {} by rows and columns together as a "
                                                       "linear program",
                                                       bounds.linear)
                                         : "";
  std::string text =
      fmt::format("clusters, at least: {} by columns, {} by synapses, {} by rows{}\n",
                  bounds.columns, bounds.synapses, bounds.rows, linear);
  for (const ComparedPartition &row : rows)
    if (row.figures.clusters > usable)
      text += fmt::format("{} needs {} crossbars, {} may be used\n", row.name, row.figures.clusters,
                          usable);
  return text;
}

static llvm::Error withPlace(llvm::Error error, const std::string &file, const std::string &chip) {
  return llvm::handleErrors(std::move(error), [&](std::unique_ptr<SpindleError> each) {
    if (each->place != chip)
      each->place = file + ": " + each->place;
    return llvm::Error(std::move(each));
  });
}

llvm::Error comparePartitions(const Flow &flow, const std::string &folder, const std::string &csv) {
  if (!flow.hasChip)
    return inputError(flow.path, "key 'chip' is missing; a comparison needs a chip");
  SPINDLE_ASSIGN(Chip chip, readChip(flow.chip));
  std::string file = folder + "/" + run::kGraph;
  if (!isThere(file))
    return inputError(file, "the comparison reads this file and it is not there; spindle run "
                            "FLOW --until graph makes it");
  SPINDLE_ASSIGN(SpikingGraph graph, readSpikingGraph(file));
  PartitionOptions options = flow.partition;
  llvm::Expected<PartitionBounds> bounds = boundPartitions(graph, chip, options);
  if (!bounds)
    return withPlace(bounds.takeError(), file, chip.path);

  std::vector<ComparedPartition> rows;
  std::vector<TableLine> lines{lineOf(*bounds)};
  for (size_t algorithm = 0; algorithm < std::size(kAlgorithmNames); ++algorithm) {
    options.algorithm = static_cast<PartitionAlgorithm>(algorithm);
    bool isTried = options.algorithm != PartitionAlgorithm::Exact ||
                   decompose(graph, chip.crossbar).size() <= kExactUnits;
    if (!isTried)
      continue;
    auto start = std::chrono::steady_clock::now();
    llvm::Expected<Clustering> clustering = partitionFreely(graph, chip, options);
    if (!clustering)
      return withPlace(clustering.takeError(), file, chip.path);
    std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
    rows.push_back({kAlgorithmNames[algorithm], figuresOf(*clustering, chip), seconds.count()});
    lines.push_back(lineOf(rows.back(), *bounds));
  }
  fmt::print("{}{}", tableOf(lines), notesOf(rows, *bounds, usableCrossbars(chip, options)));
  return csv.empty() ? llvm::Error::success() : writeFile(csv, csvOf(lines));
}

} // namespace spindle
