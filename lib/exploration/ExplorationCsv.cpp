#include "lib/exploration/ExplorationTable.h"

#include "fmt/format.h"

namespace spindle {

/// A cell with a comma, a quote or a new line stands in quotes.
static std::string cell(const std::string &text) {
  if (text.find_first_of(",\"\n\r") == std::string::npos)
    return text;
  std::string quoted = "\"";
  for (char c : text)
    quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted + "\"";
}

static std::string lineOf(const std::vector<std::string> &cells) {
  std::string line;
  for (size_t i = 0; i < cells.size(); ++i)
    line += (i == 0 ? "" : ",") + cell(cells[i]);
  return line + "\n";
}

std::string csvOf(const Exploration &exploration, const std::vector<ExploredPoint> &points) {
  std::vector<std::string> keys = variedKeys(points), names = wantedNames(exploration);
  std::vector<Standing> standings = standingsOf(exploration, points);
  std::vector<std::string> titles = {"point", "state", "feasible", "front"};
  titles.insert(titles.end(), keys.begin(), keys.end());
  titles.insert(titles.end(), names.begin(), names.end());
  titles.insert(titles.end(), {"error", "command"});
  std::string text = lineOf(titles);
  for (size_t p = 0; p < points.size(); ++p) {
    const ExploredPoint &point = points[p];
    std::vector<std::string> cells = {
        pointId(point.settings), point.error.empty() ? "done" : "failed",
        standings[p].isFeasible ? "1" : "0", standings[p].isOnFront ? "1" : "0"};
    for (const std::string &key : keys)
      cells.push_back(valueOf(point, key).value_or(""));
    for (const std::string &name : names) {
      auto found = point.figures.find(name);
      cells.push_back(found == point.figures.end() ? "" : fmt::format("{}", found->second));
    }
    cells.push_back(point.error);
    cells.push_back(commandOf(exploration, point));
    text += lineOf(cells);
  }
  return text;
}

} // namespace spindle
