#include "core/run/RunRecord.h"

#include "core/support/files/FileHash.h"
#include "core/support/formats/JsonLimits.h"

#include "fmt/format.h"
#include "llvm/ADT/STLExtras.h"

#include <filesystem>
#include <set>

namespace spindle {

const StageRecord *RunRecord::find(llvm::StringRef stage) const {
  auto found = llvm::find_if(stages, [&](const StageRecord &each) { return each.name == stage; });
  return found == stages.end() ? nullptr : &*found;
}

void RunRecord::put(StageRecord stage) {
  auto found =
      llvm::find_if(stages, [&](const StageRecord &each) { return each.name == stage.name; });
  if (found == stages.end())
    stages.push_back(std::move(stage));
  else
    *found = std::move(stage);
}

void RunRecord::remove(llvm::StringRef stage) {
  llvm::erase_if(stages, [&](const StageRecord &each) { return each.name == stage; });
}

/// Dotted key → text of every value that is no mapping.
static void flatten(const Json &settings, const std::string &prefix,
                    std::map<std::string, std::string> &flat) {
  if (!settings.is_object()) {
    flat[prefix] = settings.is_string() ? settings.get<std::string>() : settings.dump();
    return;
  }
  for (const auto &[key, value] : settings.items())
    flatten(value, prefix.empty() ? key : prefix + "." + key, flat);
}

std::vector<std::string> differences(const Json &before, const Json &now) {
  std::map<std::string, std::string> old, current;
  flatten(before, "", old);
  flatten(now, "", current);
  std::vector<std::string> found;
  auto textOf = [](const std::map<std::string, std::string> &flat, const std::string &key) {
    auto entry = flat.find(key);
    return entry == flat.end() ? "not given" : entry->second;
  };
  std::set<std::string> keys;
  for (const auto &[key, value] : old)
    keys.insert(key);
  for (const auto &[key, value] : current)
    keys.insert(key);
  for (const std::string &key : keys)
    if (std::string was = textOf(old, key), is = textOf(current, key); was != is)
      found.push_back(fmt::format("{} ({}, now {})", key, was, is));
  return found;
}

static void forgetNumbers(Json &json) {
  if (json.is_number())
    json = 0;
  else if (json.is_structured())
    for (Json &member : json)
      forgetNumbers(member);
}

static llvm::Expected<std::string> hashWithoutTiming(const std::string &path) {
  if (!llvm::StringRef(path).ends_with(".json"))
    return hashFile(path);
  SPINDLE_ASSIGN(std::string text, readFile(path));
  if (llvm::StringRef(text).contains("\"timing\"") && !findExcess(text)) {
    Json json = Json::parse(text, /*cb=*/nullptr, /*allow_exceptions=*/false);
    if (json.is_object() && json.contains("timing")) {
      forgetNumbers(json["timing"]);
      text = json.dump(-1, ' ', false, Json::error_handler_t::replace);
    }
  }
  return hashText(text);
}

llvm::Expected<std::string> FolderHashes::of(const std::string &name) {
  auto entry = known.find(name);
  if (entry != known.end())
    return entry->second;
  std::string path = folder + "/" + name, hash;
  std::error_code ignored;
  if (std::filesystem::exists(path, ignored)) {
    SPINDLE_ASSIGN(hash, hashWithoutTiming(path));
  }
  return known[name] = hash;
}

llvm::Expected<std::vector<std::string>> outdatedStages(const RunRecord &record,
                                                        FolderHashes &files) {
  std::vector<std::string> outdated;
  std::set<std::string> oldFiles; // written by an outdated stage and not replaced since
  for (const StageRecord &stage : record.stages) {
    bool isOutdated = record.failure && record.failure->stage == stage.name; // made anew, in vain
    for (const auto &[name, hash] : stage.origin.inputs) {
      SPINDLE_ASSIGN(std::string now, files.of(name));
      isOutdated |= now != hash || oldFiles.count(name);
    }
    if (!isOutdated)
      continue;
    outdated.push_back(stage.name);
    for (const auto &[name, hash] : stage.outputs) {
      SPINDLE_ASSIGN(std::string now, files.of(name));
      if (now == hash)
        oldFiles.insert(name);
    }
  }
  return outdated;
}

} // namespace spindle
