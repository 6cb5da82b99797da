#include "lib/report/ExplorationPage.h"

#include "lib/report/ScheduleCharts.h"
#include "lib/report/page/PageFiles.h"

#include "fmt/format.h"
#include "fmt/ranges.h"

#include <algorithm>

namespace spindle {

namespace {

/// Points of the page beyond which the table says how many there are more.
constexpr size_t kMostRows = 2000;

constexpr const char *kOwnStyle =
    "svg.front circle { fill: var(--soft); opacity: .55; }\n"
    "svg.front circle.front { fill: var(--snn); opacity: 1; }\n"
    "svg.front line { stroke: var(--line); }\n"
    "td code { font-size: 11.5px; white-space: normal; overflow-wrap: anywhere; }\n"
    "tr.front td:first-child { color: var(--snn); font-weight: 600; }\n";

std::string figureText(double value) { return fmt::format("{:.6g}", value); }

std::string goalText(const Objective &objective) {
  return fmt::format("{} ({})", objective.name, objective.isMost ? "most" : "least");
}

std::optional<double> figureOf(const ExploredPoint &point, const std::string &name) {
  auto found = point.figures.find(name);
  return found == point.figures.end() ? std::nullopt : std::optional(found->second);
}

std::string settingsText(const ExploredPoint &point, const std::vector<std::string> &keys) {
  std::vector<std::string> words;
  for (const std::string &key : keys)
    if (std::optional<std::string> value = valueOf(point, key))
      words.push_back(key + "=" + *value);
  return fmt::format("{}", fmt::join(words, ", "));
}

class ExplorationWriter {
public:
  ExplorationWriter(const Exploration &what, const std::vector<ExploredPoint> &of)
      : exploration(what), points(of), keys(variedKeys(of)), names(wantedNames(what)),
        standings(standingsOf(what, of)) {}

  std::string write() {
    std::string body = tiles();
    for (size_t o = 1; o < exploration.objectives.size(); ++o)
      body += scatter(exploration.objectives[0], exploration.objectives[o]);
    body += card("Pareto front",
                 "Points that no other one beats in one objective without losing in another; each "
                 "with the command that repeats it.",
                 table(/*onlyFront=*/true));
    body += card("All points", fmt::format("Wanted: {}.", wantedText()), table(false));
    if (std::ranges::any_of(points, [](const ExploredPoint &p) { return !p.error.empty(); }))
      body += card("Failed points", "A failed point keeps its error; --retry runs it again.",
                   failures());
    return fmt::format(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
        "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
        "<meta name=\"color-scheme\" content=\"light dark\">\n<title>Exploration of {0}</title>\n"
        "<style>\n{1}{2}</style>\n</head>\n<body>\n<header><div><h1>Exploration of {0}</h1>"
        "<p id=\"subtitle\">{3}</p></div></header>\n<main>\n{4}</main>\n"
        "<footer>Spindle: trained networks on spiking hardware. The same numbers stand in "
        "points.csv and points.sqlite.</footer>\n</body>\n</html>\n",
        escapeMarkup(exploration.flow), page_file::kStyle, kOwnStyle,
        escapeMarkup(fmt::format("{}", fmt::join(keys, ", "))), body);
  }

private:
  size_t count(bool Standing::*what) const {
    return static_cast<size_t>(
        std::ranges::count_if(standings, [&](const Standing &each) { return each.*what; }));
  }

  static std::string card(const std::string &title, const std::string &note,
                          const std::string &body) {
    return fmt::format("<section class=\"card full\"><h2>{}</h2><p class=\"note\">{}</p>"
                       "<div class=\"scroll\">\n{}</div></section>\n",
                       escapeMarkup(title), escapeMarkup(note), body);
  }

  std::string tiles() const {
    size_t failed = static_cast<size_t>(std::ranges::count_if(
        points, [](const ExploredPoint &point) { return !point.error.empty(); }));
    auto tile = [](const std::string &label, size_t value, const std::string &note) {
      return fmt::format("<div class=\"tile\"><span class=\"label\">{}</span><b>{}</b><span>{}"
                         "</span></div>\n",
                         label, value, escapeMarkup(note));
    };
    return "<div id=\"tiles\">\n" +
           tile("Points", points.size(), fmt::format("{} failed", failed)) +
           tile("Within the constraints", count(&Standing::isFeasible),
                fmt::format("{} constraints", exploration.constraints.size())) +
           tile("On the front", count(&Standing::isOnFront),
                fmt::format("{} objectives", exploration.objectives.size())) +
           "</div>\n";
  }

  std::string wantedText() const {
    std::vector<std::string> words;
    for (const Objective &objective : exploration.objectives)
      words.push_back(goalText(objective));
    for (const Constraint &constraint : exploration.constraints) {
      if (constraint.least)
        words.push_back(
            fmt::format("{} at least {}", constraint.name, figureText(*constraint.least)));
      if (constraint.most)
        words.push_back(
            fmt::format("{} at most {}", constraint.name, figureText(*constraint.most)));
    }
    return fmt::format("{}", fmt::join(words, ", "));
  }

  std::string table(bool onlyFront) const {
    std::string text = "<table><thead><tr><th>point</th>";
    for (const std::string &key : keys)
      text += fmt::format("<th>{}</th>", escapeMarkup(key));
    for (const std::string &name : names)
      text += fmt::format("<th class=\"right\">{}</th>", escapeMarkup(name));
    text += onlyFront ? "<th>command</th></tr></thead><tbody>\n" : "</tr></thead><tbody>\n";
    size_t rows = 0, left = 0;
    for (size_t p = 0; p < points.size(); ++p) {
      if (onlyFront && !standings[p].isOnFront)
        continue;
      if (rows == kMostRows) {
        ++left;
        continue;
      }
      ++rows;
      text += row(p, onlyFront);
    }
    text += "</tbody></table>\n";
    if (left > 0)
      text += fmt::format("<p class=\"note\">{} more in points.csv.</p>\n", left);
    return text;
  }

  std::string row(size_t p, bool withCommand) const {
    std::string text =
        fmt::format("<tr{}><td>{}</td>", standings[p].isOnFront ? " class=\"front\"" : "",
                    pointId(points[p].settings).substr(0, 8));
    for (const std::string &key : keys)
      text += fmt::format("<td>{}</td>", escapeMarkup(valueOf(points[p], key).value_or("")));
    for (const std::string &name : names) {
      std::optional<double> value = figureOf(points[p], name);
      text += fmt::format("<td class=\"right\">{}</td>", value ? figureText(*value) : "–");
    }
    if (withCommand)
      text += fmt::format("<td class=\"wide\"><code>{}</code></td>",
                          escapeMarkup(commandOf(exploration, points[p])));
    return text + "</tr>\n";
  }

  std::string failures() const {
    std::string text =
        "<table><thead><tr><th>point</th><th>settings</th><th>error</th></tr></thead>"
        "<tbody>\n";
    for (const ExploredPoint &point : points)
      if (!point.error.empty())
        text += fmt::format(
            "<tr><td>{}</td><td class=\"wide\">{}</td><td class=\"wide\">{}</td></tr>\n",
            pointId(point.settings).substr(0, 8), escapeMarkup(settingsText(point, keys)),
            escapeMarkup(point.error));
    return text + "</tbody></table>\n";
  }

  /// One objective over another; the text in its place names the ends of the front.
  std::string scatter(const Objective &up, const Objective &right) const {
    constexpr double width = 560, height = 300, left = 84, bottom = 36, top = 12, edge = 12;
    std::vector<size_t> shown;
    double least[2] = {1e300, 1e300}, most[2] = {-1e300, -1e300};
    for (size_t p = 0; p < points.size(); ++p) {
      if (!standings[p].isFeasible)
        continue;
      shown.push_back(p);
      double at[2] = {*figureOf(points[p], right.name), *figureOf(points[p], up.name)};
      for (int i = 0; i < 2; ++i) {
        least[i] = std::min(least[i], at[i]);
        most[i] = std::max(most[i], at[i]);
      }
    }
    if (shown.empty())
      return "";
    auto place = [&](int axis, double value) {
      double span = most[axis] - least[axis];
      double part = span > 0 ? (value - least[axis]) / span : 0.5;
      return axis == 0 ? left + part * (width - left - edge)
                       : height - bottom - part * (height - bottom - top);
    };
    std::string marks;
    for (bool isFront : {false, true}) // the front lies on top
      for (size_t p : shown) {
        if (standings[p].isOnFront != isFront)
          continue;
        double x = *figureOf(points[p], right.name), y = *figureOf(points[p], up.name);
        marks += fmt::format("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"4\"{}><title>{}: {} {}, {} {}"
                             "</title></circle>\n",
                             place(0, x), place(1, y), isFront ? " class=\"front\"" : "",
                             escapeMarkup(settingsText(points[p], keys)), escapeMarkup(up.name),
                             figureText(y), escapeMarkup(right.name), figureText(x));
      }
    std::string text = fmt::format(
        "{} over {}: {} points, {} of them on the front; {} from {} to {}, {} from {} to {}",
        up.name, right.name, shown.size(), count(&Standing::isOnFront), up.name,
        figureText(least[1]), figureText(most[1]), right.name, figureText(least[0]),
        figureText(most[0]));
    std::string axes = fmt::format(
        "<line x1=\"{0}\" y1=\"{1}\" x2=\"{2}\" y2=\"{1}\"/><line x1=\"{0}\" y1=\"{3}\" x2=\"{0}\" "
        "y2=\"{1}\"/><text x=\"{0}\" y=\"{4}\">{5}</text><text x=\"{2}\" y=\"{4}\" "
        "text-anchor=\"end\">{6}</text><text x=\"{7}\" y=\"{1}\" text-anchor=\"end\">{8}</text>"
        "<text x=\"{7}\" y=\"{9}\" text-anchor=\"end\">{10}</text>\n",
        left, height - bottom, width - edge, top, height - bottom + 18, figureText(least[0]),
        figureText(most[0]), left - 6, figureText(least[1]), top + 8, figureText(most[1]));
    return fmt::format(
        "<section class=\"card half\"><h2>{} over {}</h2><p class=\"note\">Blue: on the "
        "front. Points outside the constraints are left out.</p><svg class=\"chart "
        "front\" viewBox=\"0 0 {} {}\" role=\"img\" aria-label=\"{}\">\n{}{}</svg>"
        "</section>\n",
        escapeMarkup(goalText(up)), escapeMarkup(goalText(right)), width, height,
        escapeMarkup(text), axes, marks);
  }

  const Exploration &exploration;
  const std::vector<ExploredPoint> &points;
  std::vector<std::string> keys, names;
  std::vector<Standing> standings;
};

} // namespace

std::string explorationPage(const Exploration &exploration,
                            const std::vector<ExploredPoint> &points) {
  return ExplorationWriter(exploration, points).write();
}

} // namespace spindle
