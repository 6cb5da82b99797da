#include "core/kernel/BusInterface.h"

#include "core/kernel/FilesBeside.h"
#include "core/kernel/KernelInterface.h"
#include "core/support/TextPlace.h"
#include "core/support/formats/JsonMapping.h"

#include "fmt/format.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

#include <map>
#include <set>

namespace spindle::hls {

static constexpr FileFormat kAxiFormat = {"spindle-axi", 1};
static constexpr const char *kDataNames[] = {"stream", "memory"}; // in the order of AxiData

std::optional<uint64_t> BusInterface::offsetOf(const std::string &name) const {
  for (const AxiRegister &each : registers)
    if (each.name == name)
      return each.offset;
  return std::nullopt;
}

const AxiStream *BusInterface::streamOf(const std::string &name) const {
  for (const AxiStream &each : streams)
    if (each.name == name)
      return &each;
  return nullptr;
}

bool BusInterface::isInChannel(const std::string &name) const {
  return llvm::any_of(channels, [&](const AxiChannel &each) {
    return llvm::is_contained(each.reads, name) || llvm::is_contained(each.writes, name);
  });
}

static constexpr const char *kMovedNames = "names of arguments such as arg0";

/// `arg3`; it becomes part of a program.
static bool isArgumentName(const std::string &name) {
  llvm::StringRef number = name;
  return number.consume_front("arg") && !number.empty() && number.size() < 10 &&
         llvm::all_of(number, llvm::isDigit);
}

static void describe(auto &file, MaybeConst<AxiRegister> auto &each) {
  file.field("name", each.name);
  file.field("offset", each.offset);
}

static void describe(auto &file, MaybeConst<AxiStream> auto &each) {
  file.field("name", each.name);
  file.field("bytes", each.bytes);
  file.require("bytes", each.bytes >= 1 && each.bytes <= 8, "1 to 8");
  file.field("beats", each.beats);
  file.field("last_bytes", each.lastBytes);
  file.require("last_bytes", each.lastBytes >= 1 && each.lastBytes <= each.bytes,
               "1 to the bytes of a beat");
}

static void describe(auto &file, MaybeConst<AxiChannel> auto &each) {
  file.field("name", each.name);
  file.require("name", isModuleName(each.name), "the name of a port's channel");
  file.field("bits", each.bits);
  file.require("bits", each.bits == 64, "64");
  file.field("reads", each.reads);
  file.require("reads", llvm::all_of(each.reads, isArgumentName), kMovedNames);
  file.field("writes", each.writes);
  file.require("writes", llvm::all_of(each.writes, isArgumentName), kMovedNames);
}

static void describe(auto &file, MaybeConst<BusInterface> auto &bus) {
  file.field("top", bus.top);
  file.field("data", wordOf(bus.data, kDataNames, "stream or memory"));
  file.field("sources", bus.sources);
  file.field("registers", bus.registers);
  file.fieldUnless("streams", bus.streams, {});
  file.fieldUnless("channels", bus.channels, {});
}

/// Each argument has a place, and one only.
static std::string channelFault(const BusInterface &bus) {
  if (bus.channels.empty())
    return "";
  if (bus.data != AxiData::Memory)
    return "found channels where data is stream, expected memory";
  if (bus.channels.size() > kMostMemoryChannels)
    return fmt::format("found {} channels, expected at most {}", bus.channels.size(),
                       kMostMemoryChannels);
  std::set<std::string> names, read, written;
  std::map<std::string, std::string> channelOf;
  for (const AxiChannel &channel : bus.channels) {
    if (!names.insert(channel.name).second)
      return fmt::format("found two channels '{}', expected names of their own", channel.name);
    for (const auto &[list, seen] : {std::pair{&channel.reads, &read}, {&channel.writes, &written}})
      for (const std::string &argument : *list) {
        bool isNew = seen->insert(argument).second;
        auto [place, isFirst] = channelOf.try_emplace(argument, channel.name);
        if (!isNew || place->second != channel.name)
          return fmt::format("found '{}' twice among what channels move, expected it in one of "
                             "them, once for each way",
                             argument);
      }
  }
  return "";
}

llvm::Error writeBusInterface(const std::string &path, const BusInterface &bus) {
  return writeDescribed(path, kAxiFormat, bus);
}

llvm::Expected<BusInterface> readBusInterface(const std::string &path) {
  SPINDLE_ASSIGN(BusInterface bus, readDescribed<BusInterface>(path, kAxiFormat));
  if (!isModuleName(bus.top))
    return inputError(path,
                      fmt::format("top is '{}', expected the name of a module", excerpt(bus.top)));
  if (std::string fault = channelFault(bus); !fault.empty())
    return inputError(path, fault);
  SPINDLE_RETURN_IF_ERROR(checkFilesBeside(path, bus.sources, kVerilogEndings));
  return bus;
}

} // namespace spindle::hls
