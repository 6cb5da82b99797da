#include "core/run/ExploredPoint.h"

#include "core/support/files/FileHash.h"
#include "core/support/formats/JsonMapping.h"

#include <algorithm>

namespace spindle {

static constexpr FileFormat kPointFormat = {"spindle-point", 1};

std::string pointId(std::vector<Setting> settings) {
  std::ranges::sort(settings, {}, &Setting::key);
  Json json = Json::object();
  for (const Setting &setting : settings)
    json[setting.key] = setting.value;
  return hashText(jsonText(json)).substr(0, 16);
}

static void describe(auto &file, MaybeConst<Setting> auto &setting) {
  file.field("key", setting.key);
  file.field("value", setting.value);
}

static void describe(auto &file, MaybeConst<ExploredPoint> auto &point) {
  file.field("settings", point.settings);
  file.field("program", point.program);
  file.field("sources", point.sources);
  file.field("overrides", point.overrides);
  file.field("figures", point.figures);
  file.fieldUnless("error", point.error, "");
}

llvm::Error writeExploredPoint(const std::string &path, const ExploredPoint &point) {
  return writeDescribed(path, kPointFormat, point);
}

llvm::Expected<ExploredPoint> readExploredPoint(const std::string &path) {
  return readDescribed<ExploredPoint>(path, kPointFormat);
}

static void collectFigures(const Json &json, const std::string &name,
                           std::map<std::string, double> &figures) {
  if (json.is_number())
    figures[name] = json.get<double>();
  else if (json.is_boolean())
    figures[name] = json.get<bool>() ? 1 : 0;
  else if (json.is_object() && json.contains("value") && json.contains("unit"))
    collectFigures(json["value"], name, figures);
  else if (json.is_object())
    for (const auto &[key, member] : json.items())
      collectFigures(member, name + "." + key, figures);
}

std::map<std::string, double> figuresOfReport(const Json &report) {
  std::map<std::string, double> figures;
  for (const auto &[section, members] : report.items())
    if (section != "timing" && members.is_object())
      collectFigures(members, section, figures);
  return figures;
}

} // namespace spindle
