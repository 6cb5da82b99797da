#include "core/chip/device/Device.h"

#include "fmt/format.h"

namespace spindle {

static void readDrift(YamlReader reader, Drift &drift) {
  reader.require("exponent");
  reader.require("seconds");
  reader.read("exponent", drift.exponent, 0, 1);
  reader.read("deviation", drift.deviation, 0, 1);
  reader.read("reference_seconds", drift.referenceSeconds, 1e-9, 1e12);
  reader.read("seconds", drift.seconds, 1e-9, 1e12);
  if (drift.seconds < drift.referenceSeconds)
    reader.fail("seconds", fmt::format("seconds is {}, before reference_seconds, {}, from which on "
                                       "cells drift; set at least that",
                                       drift.seconds, drift.referenceSeconds));
}

static void readWires(YamlReader reader, CellWires &wires) {
  reader.require("segment_ohm");
  reader.require("on_ohm");
  reader.read("segment_ohm", wires.segmentOhm, 0, 1e6);
  reader.read("on_ohm", wires.onOhm, 1, 1e12);
  if (wires.segmentOhm > wires.onOhm)
    reader.fail("segment_ohm",
                fmt::format("segment_ohm is {}, more than a cell that is on, {}; set at most that",
                            wires.segmentOhm, wires.onOhm));
}

static void readConverter(YamlReader reader, Adc &converter) {
  reader.require("bits");
  reader.require("range");
  int64_t bits = converter.bits;
  reader.read("bits", bits, 2, kMostConverterBits);
  converter.bits = static_cast<uint32_t>(bits);
  reader.read("range", converter.range, 1e-3, 1e6);
}

void readDevice(YamlReader reader, Device &device) {
  YamlReader drift = reader.section("drift"), wires = reader.section("wires"),
             converter = reader.section("adc");
  reader.require("source");
  reader.read("source", device.source);
  if (reader.has("source") && device.source.empty())
    reader.fail("source", "source is empty: name the publication, or say 'assumption: ...'");
  int64_t levels = device.levels;
  reader.read("levels", levels, 2, 65536);
  device.levels = static_cast<uint32_t>(levels);
  double ratio = 0;
  reader.read("on_off_ratio", ratio, 1.01, 1e12);
  device.offConductance = ratio > 0 ? 1 / ratio : 0;
  reader.read("programming_noise", device.programmingNoise, 0, kMostVariation);
  reader.read("read_noise", device.readNoise, 0, kMostVariation);
  reader.read("stuck_on", device.stuckOn, 0, 1);
  reader.read("stuck_off", device.stuckOff, 0, 1);
  if (device.stuckOn + device.stuckOff > 1)
    reader.fail("stuck_off", fmt::format("stuck_on and stuck_off are {} together, more than all "
                                         "cells; lower one of them",
                                         device.stuckOn + device.stuckOff));
  if (reader.has("drift"))
    readDrift(drift, device.drift);
  if (reader.has("wires"))
    readWires(wires, device.wires);
  if (reader.has("adc"))
    readConverter(converter, device.converter);
  int64_t seed = static_cast<int64_t>(device.seed);
  reader.read("seed", seed, int64_t(0), (int64_t(1) << 53));
  device.seed = static_cast<uint64_t>(seed);
}

} // namespace spindle
