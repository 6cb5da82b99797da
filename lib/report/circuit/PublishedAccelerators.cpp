#include "lib/report/circuit/PublishedAccelerators.h"

namespace spindle {

namespace {

/// Empty or 0: not stated.
struct Accelerator {
  const char *name, *network, *tool, *part;
  double clockMhz;
  const char *accuracy, *time, *area, *energy;
};

constexpr Accelerator kPublished[] = {
    {"Spiker+", "784-128-10, 100 steps", "Vivado", "XC7Z020", 100, "93.85 %", "780 µs",
     "7,612 logic cells, 18 BRAM", "180 mW"},
    {"snn-fpga", "784-128-10", "Vivado", "Artix-7", 100, "", "520 µs", "6,358 LUT, 40.5 BRAM", ""},
    {"Flexi-NeurA", "256-128-10", "", "", 0, "97.23 %", "1.1 ms", "1,623 logic cells, 7 BRAM",
     "111 mW"},
    {"Syn2Logic (2026)", "784-128-64-10, pruned 80 to 90 %, 25 steps", "", "Agilex 7", 0, "97.07 %",
     "116 ns", "26,684 ALM", ""},
    {"Syn2Logic (2026)", "784-128-64-10, pruned 80 to 90 %, 25 steps", "", "MAX10", 0, "93.80 %",
     "581 ns", "38,103 LE", "179 nJ per image"},
    {"SyncNN", "LeNet", "SDSoC 2019.1", "ZCU102", 200, "99.3 to 99.6 %", "13,086 images/s", "", ""},
    {"Skydiver", "CNN", "", "XC7Z045", 0, "98.5 %", "22,600 images/s", "", "42.4 µJ per image"},
    {"DeepFire2", "CNN", "", "VCU118", 600, "", "79,000 images/s", "", ""},
    {"FINN, an ANN", "binary perceptron", "", "ZC706", 0, "95.8 %", "0.31 µs, 12.3 M images/s", "",
     ""}};

} // namespace

Json publishedAccelerators() {
  Json list = Json::array();
  for (const Accelerator &one : kPublished) {
    Json item = {{"name", one.name}, {"network", one.network}};
    auto put = [&](const char *name, const char *text) {
      if (*text)
        item[name] = text;
    };
    put("tool", one.tool);
    put("part", one.part);
    if (one.clockMhz > 0)
      item["clock_mhz"] = one.clockMhz;
    put("accuracy", one.accuracy);
    put("time", one.time);
    put("area", one.area);
    put("energy", one.energy);
    list.push_back(std::move(item));
  }
  return list;
}

} // namespace spindle
