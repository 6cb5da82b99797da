#include "hw/cosim/bench/SharedUnits.h"

#include "fmt/format.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"

namespace spindle::hls {

namespace {

/// All instances of one module.
struct Instances {
  SharedUnit unit;
  size_t count = 0;
  bool isAlike = true; // one set of parameters, no reset
};

/// `.EXPONENT(8), .FRACTION(23)`
std::vector<std::pair<std::string, std::string>> parseParameters(llvm::StringRef text) {
  std::vector<std::pair<std::string, std::string>> parameters;
  llvm::SmallVector<llvm::StringRef> entries;
  text.split(entries, ", ");
  for (llvm::StringRef entry : entries) {
    auto [name, value] = entry.ltrim('.').split('(');
    parameters.emplace_back(name.str(), value.drop_back().str());
  }
  return parameters;
}

std::vector<std::string> inputsOf(const ModulePorts &ports) {
  std::vector<std::string> names;
  for (const auto &[name, port] : ports)
    if (port.isInput && name != "clk")
      names.push_back(name);
  return names;
}

} // namespace

std::vector<SharedUnit> sharedUnits(const std::string &text, size_t least) {
  std::vector<Instances> found;
  Instances *current = nullptr;
  llvm::SmallVector<llvm::StringRef> lines;
  llvm::StringRef(text).split(lines, '\n');
  for (llvm::StringRef line : lines) {
    if (current && line.starts_with("    .rst("))
      current->isAlike = false;
    if (!line.starts_with("  spindle_")) {
      current = line.starts_with("    .") ? current : nullptr;
      continue;
    }
    auto [module, rest] = line.trim().split(" #(");
    SharedUnit unit{module.str(), parseParameters(rest.substr(0, rest.rfind(") ")))};
    auto known = std::find_if(found.begin(), found.end(), [&](const Instances &other) {
      return other.unit.module == unit.module;
    });
    if (known == found.end())
      known = found.insert(found.end(), {unit});
    known->isAlike &= known->unit == unit;
    ++known->count;
    current = &*known;
  }
  std::vector<SharedUnit> shared;
  for (const Instances &instances : found)
    if (instances.isAlike && instances.count >= least)
      shared.push_back(instances.unit);
  return shared;
}

std::string standInText(const SharedUnit &unit, const ModulePorts &ports) {
  std::string parameters, pins, arguments, values;
  for (const auto &[name, value] : unit.parameters)
    parameters +=
        fmt::format("{}parameter int {} = {}", parameters.empty() ? "" : ", ", name, value);
  for (const auto &[name, port] : ports)
    pins += fmt::format("{}{} logic [{}:0] {}", pins.empty() ? "" : ", ",
                        port.isInput ? "input" : "output", port.bits - 1, name);
  for (const std::string &name : inputsOf(ports)) {
    arguments += fmt::format(", input longint unsigned {}", name);
    values += fmt::format(", {}'({})", 64, name);
  }
  return fmt::format(R"(module {0} #({1}) ({2});
  import "DPI-C" function chandle {0}_make();
  import "DPI-C" function longint unsigned {0}_step(input chandle unit{3});
  chandle unit;
  initial unit = {0}_make();
  always @(posedge clk) y <= {4}'({0}_step(unit{5}));
endmodule
)",
                     unit.module, parameters, pins, arguments, ports.at("y").bits, values);
}

std::string standInCode(const SharedUnit &unit, const ModulePorts &ports,
                        const std::string &header) {
  std::string arguments, assignments;
  for (const std::string &name : inputsOf(ports)) {
    arguments += fmt::format(", unsigned long long {}", name);
    assignments += fmt::format("  object->{0} = {0};\n", name);
  }
  return fmt::format(R"(#include "{0}"

extern "C" void *{1}_make() {{
  auto *object = new V{1};
  object->clk = 0;
  object->eval();
  return object;
}}

extern "C" unsigned long long {1}_step(void *unit{2}) {{
  auto *object = static_cast<V{1} *>(unit);
{3}  object->clk = 1;
  object->eval();
  object->clk = 0;
  object->eval();
  return object->y;
}}
)",
                     header, unit.module, arguments, assignments);
}

} // namespace spindle::hls
