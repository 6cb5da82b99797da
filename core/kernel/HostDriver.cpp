#include "core/kernel/HostDriver.h"

#include "core/support/files/File.h"

#include "fmt/format.h"
#include "fmt/ranges.h"
#include "llvm/ADT/StringRef.h"

#include <filesystem>

namespace spindle::hls {

namespace {

/// A register as the driver has it.
struct DriverRegister {
  std::string name; // arg3, result0
  uint64_t offset;
  std::string type, what; // of C++; for people
  bool isResult;
};

/// Integers have no sign in MLIR: those of C have one. Halves are their bits.
std::string cppType(ElementType type) {
  if (type.kind == ElementType::Kind::Index)
    return "std::uint64_t";
  if (type.isFloat())
    return type.bits == 64 ? "double" : type.bits == 32 ? "float" : "std::uint16_t";
  return type.bits == 1 ? "bool" : fmt::format("std::int{}_t", 8 * type.bytes());
}

/// `samples of a run; ` where that is known.
std::string meaningOf(const ArgumentMeanings &meanings, const std::string &name) {
  auto meaning = meanings.find(name);
  return meaning == meanings.end() ? "" : meaning->second + "; ";
}

std::vector<DriverRegister> registersOf(const KernelInterface &kernel, const BusInterface &bus,
                                        const ArgumentMeanings &meanings) {
  std::vector<DriverRegister> registers;
  for (const KernelArgument &argument : kernel.arguments) {
    std::string name = fmt::format("arg{}", argument.index);
    std::optional<uint64_t> offset = bus.offsetOf(name);
    if (!offset)
      continue;
    const char *uses = !argument.isWritten   ? "read"
                       : argument.isRead     ? "read and written"
                       : argument.isStream() ? "written"
                                             : "written, read at the start as well";
    if (argument.isStream() && !argument.isArray())
      registers.push_back(
          {name, *offset, "std::uint64_t",
           fmt::format("{}address of tokens of {} in {} bytes each, {}", meaningOf(meanings, name),
                       argument.type.text(), argument.type.bytes(), uses),
           false});
    else if (argument.isArray())
      registers.push_back(
          {name, *offset, "std::uint64_t",
           fmt::format("{}address of {}{}{}, row-major, {}", meaningOf(meanings, name),
                       fmt::join(argument.shape, " x "), argument.shape.empty() ? "" : " of ",
                       argument.type.text(), uses),
           false});
    else
      registers.push_back({name, *offset, cppType(argument.type),
                           meaningOf(meanings, name) + argument.type.text() + ", a scalar", false});
  }
  for (size_t n = 0; n < kernel.results.size(); ++n) {
    std::string name = fmt::format("result{}", n);
    if (std::optional<uint64_t> offset = bus.offsetOf(name))
      registers.push_back({name, *offset, cppType(kernel.results[n]),
                           kernel.results[n].text() + ", read only", true});
  }
  return registers;
}

/// A stream as the driver has it.
struct DriverStream {
  std::string name, what; // arg0_in; for people
  const AxiStream *shape;
};

std::vector<DriverStream> streamsOf(const KernelInterface &kernel, const BusInterface &bus,
                                    const ArgumentMeanings &meanings) {
  std::vector<DriverStream> streams;
  for (const KernelArgument &argument : kernel.arguments) {
    std::string name = fmt::format("arg{}", argument.index);
    if (const AxiStream *shape = bus.streamOf(name))
      streams.push_back({name + (argument.isWritten ? "_out" : "_in"),
                         meaningOf(meanings, name) + argument.type.text(), shape});
  }
  return streams;
}

std::string streamConstants(const std::vector<DriverStream> &streams, const std::string &guard) {
  if (streams.empty())
    return "";
  std::string text = "\n/* Streams: bytes of a beat; of packets, the beats of each, and the bytes "
                     "of the last one that count. */\n";
  for (const DriverStream &each : streams) {
    std::string name = guard + "_" + llvm::StringRef(each.name).upper();
    text += fmt::format("#define {}_BYTES {}u /* {} */\n", name, each.shape->bytes, each.what);
    if (each.shape->hasPackets())
      text += fmt::format("#define {0}_BEATS {1}u\n#define {0}_LAST_BYTES {2}u\n", name,
                          each.shape->beats, each.shape->lastBytes);
  }
  return text;
}

std::string streamTable(const std::vector<DriverStream> &streams) {
  if (streams.empty())
    return "";
  std::string text = "\n# Streams\n\n| AXI4-Stream | bytes of a beat | beats to TLAST | bytes of "
                     "the last beat | token |\n|---|---|---|---|---|\n";
  for (const DriverStream &each : streams)
    text += each.shape->hasPackets()
                ? fmt::format("| {} | {} | {} | {} | {} |\n", each.name, each.shape->bytes,
                              each.shape->beats, each.shape->lastBytes, each.what)
                : fmt::format("| {} | {} | no TLAST | - | {} |\n", each.name, each.shape->bytes,
                              each.what);
  return text;
}

std::string registerText(const std::vector<DriverRegister> &registers,
                         const std::vector<DriverStream> &streams, const std::string &top) {
  std::string guard = llvm::StringRef(top).upper();
  std::string text = fmt::format(R"(/* Registers of {0}: byte offsets on its AXI4-Lite bus. */
#ifndef {1}_H
#define {1}_H

#define {1}_CONTROL 0x0u
#define {1}_START 0x1u /* write, while it is idle */
#define {1}_DONE 0x2u  /* cleared by reading */
#define {1}_IDLE 0x4u
#define {1}_ERROR 0x8u /* a bus answered with an error in the last run, or TLAST or TKEEP was wrong */
#define {1}_KEEP 0x10u /* written with start: arrays that are only read stay as they were */
#define {1}_INTERRUPT_ENABLE 0x4u
#define {1}_INTERRUPT_PENDING 0x8u /* write 1 to clear */

/* 64 bits each, the low half first. */
)",
                                 top, guard);
  for (const DriverRegister &each : registers)
    text += fmt::format("#define {}_{} {:#x}u /* {} */\n", guard,
                        llvm::StringRef(each.name).upper(), each.offset, each.what);
  return text + streamConstants(streams, guard) + "\n#endif\n";
}

std::string pageText(const std::vector<DriverRegister> &registers,
                     const std::vector<DriverStream> &streams, const std::string &top) {
  std::string text = fmt::format(
      "# Registers of {}\n\nByte offsets on the AXI4-Lite bus of 32 bits.\n\n"
      "| offset | name | bits | what |\n|---|---|---|---|\n"
      "| 0x0 | control | 32 | 0 start (write 1 while it is idle), 1 done (cleared by reading), 2 "
      "idle, 3 a bus answered with an error in the last run, or TLAST or TKEEP was wrong, 4 keep "
      "(written with start: arrays that are only read stay as they were) |\n"
      "| 0x4 | interrupt enable | 32 | 0 |\n"
      "| 0x8 | interrupt pending | 32 | 0: write 1 to clear |\n",
      top);
  for (const DriverRegister &each : registers)
    text += fmt::format("| {:#x} | {} | 64, low half first | {} |\n", each.offset, each.name,
                        each.what);
  return text + streamTable(streams);
}

std::string argumentsText(const std::vector<DriverRegister> &registers) {
  std::string text;
  for (const DriverRegister &each : registers)
    if (!each.isResult)
      text += fmt::format("  {} {} = {{}}; // {}\n", each.type, each.name, each.what);
  return text;
}

std::string writesText(const std::vector<DriverRegister> &registers, const std::string &guard) {
  std::string text;
  for (const DriverRegister &each : registers)
    if (!each.isResult)
      text += fmt::format("    write64({}_{}, toBits(arguments.{}));\n", guard,
                          llvm::StringRef(each.name).upper(), each.name);
  return text.empty() ? "    (void)arguments;\n" : text;
}

std::string resultsText(const std::vector<DriverRegister> &registers, const std::string &guard) {
  std::string text;
  for (const DriverRegister &each : registers)
    if (each.isResult)
      text += fmt::format("\n  {0} {1}() {{ return fromBits<{0}>(read64({2}_{3})); }}", each.type,
                          each.name, guard, llvm::StringRef(each.name).upper());
  return text.empty() ? "" : "\n  // Of the last run." + text + "\n";
}

constexpr const char *kDriver =
    R"(// Drives {top} from a host: C++17 and its standard library, for any bus that has
//   void write(std::uint32_t offset, std::uint32_t value);
//   std::uint32_t read(std::uint32_t offset);
#ifndef {guard}_HPP
#define {guard}_HPP

#ifndef {guard}_H
#include "{top}.h"
#endif

#include <cstdint>
#include <cstring>

namespace {top} {{

/// The registers in the host's memory.
class Mapped {{
public:
  explicit Mapped(volatile std::uint32_t *first) : registers(first) {{}}
  void write(std::uint32_t offset, std::uint32_t value) {{ registers[offset / 4] = value; }}
  std::uint32_t read(std::uint32_t offset) {{ return registers[offset / 4]; }}

private:
  volatile std::uint32_t *registers;
}};

/// What a run starts with. Addresses are those that the circuit's masters see.
struct Arguments {{
{arguments}}};

template <typename Value> std::uint64_t toBits(Value value) {{
  static_assert(sizeof(Value) <= 8, "a register has 64 bits");
  std::uint64_t bits = 0;
  std::memcpy(&bits, &value, sizeof(Value)); // the host is little-endian, as the circuit is
  return bits;
}}
template <typename Value> Value fromBits(std::uint64_t bits) {{
  Value value;
  std::memcpy(&value, &bits, sizeof(Value));
  return value;
}}

template <typename Bus> class Driver {{
public:
  explicit Driver(Bus &to) : bus(to) {{}}

  /// Sets the arguments and starts a run; it must be idle. Arrays must be in memory; those that are
  /// only read may be kept from the run before.
  void start(const Arguments &arguments, bool keepsArrays = false) {{
    setArguments(arguments);
    bus.write({guard}_CONTROL, keepsArrays ? {guard}_START | {guard}_KEEP : {guard}_START);
  }}
  void setArguments(const Arguments &arguments) {{
{writes}  }}
  /// Whether the run has come to its end; true once for each run.
  bool isDone() {{
    std::uint32_t control = bus.read({guard}_CONTROL);
    failed = (control & {guard}_ERROR) != 0;
    return (control & {guard}_DONE) != 0;
  }}
  /// Waits until it has.
  void wait() {{
    while (!isDone()) {{
    }}
  }}
  void run(const Arguments &arguments) {{
    start(arguments);
    wait();
  }}
  /// Whether a bus answered with an error or a packet had another length, as isDone has seen it last.
  bool hasFailed() const {{ return failed; }}

  /// At the end of each run, until it is cleared.
  void enableInterrupt(bool isEnabled) {{
    bus.write({guard}_INTERRUPT_ENABLE, isEnabled ? 1u : 0u);
  }}
  bool isInterruptPending() {{ return (bus.read({guard}_INTERRUPT_PENDING) & 1u) != 0; }}
  void clearInterrupt() {{ bus.write({guard}_INTERRUPT_PENDING, 1u); }}
{results}
private:
  void write64(std::uint32_t offset, std::uint64_t bits) {{
    bus.write(offset, static_cast<std::uint32_t>(bits));
    bus.write(offset + 4, static_cast<std::uint32_t>(bits >> 32));
  }}
  std::uint64_t read64(std::uint32_t offset) {{
    std::uint64_t low = bus.read(offset);
    return low | static_cast<std::uint64_t>(bus.read(offset + 4)) << 32;
  }}

  Bus &bus;
  bool failed = false;
}};

}} // namespace {top}

#endif
)";

} // namespace

DriverTexts driverTexts(const KernelInterface &kernel, const BusInterface &bus,
                        const ArgumentMeanings &meanings) {
  std::vector<DriverRegister> registers = registersOf(kernel, bus, meanings);
  std::vector<DriverStream> streams = streamsOf(kernel, bus, meanings);
  std::string guard = llvm::StringRef(bus.top).upper();
  return {registerText(registers, streams, bus.top),
          fmt::format(fmt::runtime(kDriver), fmt::arg("top", bus.top), fmt::arg("guard", guard),
                      fmt::arg("arguments", argumentsText(registers)),
                      fmt::arg("writes", writesText(registers, guard)),
                      fmt::arg("results", resultsText(registers, guard))),
          pageText(registers, streams, bus.top)};
}

llvm::Error writeDriverFiles(const std::string &folder, const KernelInterface &kernel,
                             const BusInterface &bus, const ArgumentMeanings &meanings) {
  DriverTexts texts = driverTexts(kernel, bus, meanings);
  std::error_code status;
  std::filesystem::create_directories(folder + "/driver", status);
  std::string stem = folder + "/driver/" + bus.top;
  SPINDLE_RETURN_IF_ERROR(writeFile(stem + ".h", texts.registers));
  SPINDLE_RETURN_IF_ERROR(writeFile(stem + ".hpp", texts.driver));
  return writeFile(stem + ".md", texts.page);
}

} // namespace spindle::hls
