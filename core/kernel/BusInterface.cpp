#include "core/kernel/BusInterface.h"

#include "core/kernel/FilesBeside.h"
#include "core/kernel/KernelInterface.h"
#include "core/support/TextPlace.h"
#include "core/support/formats/JsonValues.h"

#include "fmt/format.h"

namespace spindle::hls {

static constexpr FileFormat kAxiFormat = {"spindle-axi", 1};
static constexpr const char *kDataNames[] = {"stream", "memory"}; // in the order of AxiData

std::optional<uint64_t> BusInterface::offsetOf(const std::string &name) const {
  for (const AxiRegister &each : registers)
    if (each.name == name)
      return each.offset;
  return std::nullopt;
}

llvm::Error writeBusInterface(const std::string &path, const BusInterface &bus) {
  Json json = jsonHeader(kAxiFormat);
  json["top"] = bus.top;
  json["data"] = kDataNames[static_cast<size_t>(bus.data)];
  json["sources"] = bus.sources;
  json["registers"] = Json::array();
  for (const AxiRegister &each : bus.registers)
    json["registers"].push_back({{"name", each.name}, {"offset", each.offset}});
  return writeJson(path, json);
}

static BusInterface busFromJson(const Json &json) {
  BusInterface bus;
  bus.top = textAt(json, "top");
  std::string data = textAt(json, "data");
  if (data != "stream" && data != "memory")
    refuseValue(memberAt(json, "data"), "stream or memory");
  bus.data = data == "stream" ? AxiData::Stream : AxiData::Memory;
  bus.sources = textsAt(json, "sources");
  for (const Json &each : listAt(json, "registers"))
    bus.registers.push_back({textAt(each, "name"), unsignedAt<uint64_t>(each, "offset")});
  return bus;
}

llvm::Expected<BusInterface> readBusInterface(const std::string &path) {
  SPINDLE_ASSIGN(Json json, readJson(path, kAxiFormat));
  SPINDLE_ASSIGN(BusInterface bus, parseJson<BusInterface>(path, json, busFromJson));
  if (!isModuleName(bus.top))
    return inputError(path,
                      fmt::format("top is '{}', expected the name of a module", excerpt(bus.top)));
  SPINDLE_RETURN_IF_ERROR(checkFilesBeside(path, bus.sources, kVerilogEndings));
  return bus;
}

} // namespace spindle::hls
