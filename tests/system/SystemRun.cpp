#include "tests/system/SystemRun.h"

#include "core/support/CounterRandom.h"
#include "core/support/Error.h"
#include "dialects/rtl/simulation/Simulation.h"
#include "tests/support/FifoModel.h"

#include "fmt/format.h"

#include <map>

namespace spindle::hls {

using llvm::APInt;

namespace {

class Bench {
public:
  Bench(rtl::Simulation &circuit, const KernelInterface &of, uint32_t stalls)
      : simulation(circuit), kernel(of), stallPercent(stalls) {}

  void reset() {
    simulation.set("start", APInt(1, 0));
    simulation.set("rst", APInt(1, 1));
    simulation.step();
    simulation.set("rst", APInt(1, 0));
  }

  /// Nothing where it is broken off after `stop` cycles.
  llvm::Expected<std::optional<SystemRun>> run(const std::vector<KernelArray> &arguments,
                                               uint64_t stop, uint64_t mostCycles) {
    load(arguments);
    simulation.set("start", APInt(1, 1));
    for (const KernelArgument &argument : kernel.arguments)
      if (argument.kind == KernelArgument::Kind::Scalar)
        simulation.set(fmt::format("arg{}", argument.index),
                       APInt(argument.type.bits, arguments[argument.index].at(0)));
    for (uint64_t cycle = 0;; ++cycle) {
      if (cycle > 0 && get("done")) {
        SPINDLE_ASSIGN(std::vector<KernelArray> after, contents(arguments));
        return SystemRun{std::move(after), cycle};
      }
      if (cycle == mostCycles)
        return checkError("circuit", "comes to no end");
      if (stop && cycle == stop) {
        reset();
        return std::nullopt;
      }
      if (std::string fault = step(); !fault.empty())
        return checkError("circuit", fmt::format("cycle {}: {}", cycle, fault));
      simulation.set("start", APInt(1, 0));
      for (const KernelArgument &argument : kernel.arguments)
        if (argument.kind == KernelArgument::Kind::Scalar) // sampled with start
          simulation.set(fmt::format("arg{}", argument.index), APInt(argument.type.bits, 0));
    }
  }

private:
  using Bank = std::vector<uint64_t>;

  uint64_t get(const std::string &port) { return simulation.get(port).getZExtValue(); }

  void load(const std::vector<KernelArray> &arguments) {
    streams.clear();
    for (const KernelArgument &argument : kernel.arguments) {
      if (argument.isStream()) {
        Stream &stream = streams[argument.index];
        for (uint64_t n = 0; argument.isRead && n < argument.elements(); ++n)
          stream.tokens.push_back(arguments[argument.index].at(n));
      }
      if (!argument.isMemory())
        continue;
      std::vector<Bank> &banks = memories[argument.index];
      banks.assign(argument.banks(), Bank(argument.bankWords(), 0));
      for (uint64_t n = 0; n < argument.elements(); ++n) {
        BankAddress place = argument.place(n);
        banks[size_t(place.bank)][size_t(place.address)] = arguments[argument.index].at(n);
      }
    }
  }

  /// One edge; what is wrong with the accesses before it. Words not asked for are all ones.
  std::string step() {
    std::vector<std::pair<std::string, APInt>> read;
    for (const KernelArgument &argument : kernel.arguments) {
      if (!argument.isMemory())
        continue;
      for (uint32_t bank = 0; bank < argument.banks(); ++bank) {
        Bank &words = memories[argument.index][bank];
        std::map<uint64_t, bool> touched;
        std::vector<std::pair<uint64_t, uint64_t>> written;
        for (uint32_t port = 0; port < argument.ports; ++port) {
          std::string name = portName(argument.index, bank, port);
          uint64_t value = argument.type.mask(), word = get(name + "_addr");
          bool writes = get(name + "_we");
          if (get(name + "_en")) {
            if (word >= words.size())
              return name + " is outside of its bank";
            auto [known, isNew] = touched.try_emplace(word, writes);
            if (!isNew && (known->second || writes))
              return name + " meets another port";
            value = words[word];
            if (writes)
              written.emplace_back(word, get(name + "_wdata"));
          }
          read.emplace_back(name + "_rdata", APInt(argument.type.bits, value));
        }
        for (auto [word, value] : written)
          words[word] = value;
      }
    }
    for (const KernelArgument &argument : kernel.arguments)
      if (argument.isStream())
        moveToken(argument, streams[argument.index]);
    simulation.step();
    for (const auto &[port, value] : read)
      simulation.set(port, value);
    return "";
  }

  struct Stream {
    std::vector<uint64_t> tokens; // that are left, or have come out
    size_t taken = 0;
    bool isShown = false; // a token stays until it is taken
  };

  /// What moves at the next edge.
  void moveToken(const KernelArgument &argument, Stream &stream) {
    std::string name = fmt::format("arg{}", argument.index);
    bool stalls = random.below(100) < stallPercent;
    if (argument.isRead) {
      stream.isShown = stream.taken < stream.tokens.size() && (stream.isShown || !stalls);
      simulation.set(name + "_valid", APInt(1, stream.isShown));
      simulation.set(name + "_data",
                     APInt(argument.type.bits, stream.isShown ? stream.tokens[stream.taken] : 0));
      if (stream.isShown && get(name + "_ready")) {
        ++stream.taken;
        stream.isShown = false;
      }
      return;
    }
    simulation.set(name + "_ready", APInt(1, !stalls));
    if (!stalls && get(name + "_valid"))
      stream.tokens.push_back(get(name + "_data"));
  }

  /// The last writes take place at the edge of done; the last tokens come out afterwards.
  llvm::Expected<std::vector<KernelArray>> contents(std::vector<KernelArray> arguments) {
    step();
    for (const KernelArgument &argument : kernel.arguments) {
      if (!argument.isStream())
        continue;
      Stream &stream = streams[argument.index];
      for (unsigned more = 0; argument.isWritten && more < 100; ++more)
        if (stream.tokens.size() < argument.elements())
          step();
      size_t moved = argument.isRead ? stream.taken : stream.tokens.size();
      if (moved != argument.elements())
        return checkError("circuit", fmt::format("arg{}: {} of {} tokens moved", argument.index,
                                                 moved, argument.elements()));
      for (size_t n = 0; argument.isWritten && n < moved; ++n)
        arguments[argument.index].set(n, stream.tokens[n]);
    }
    for (const KernelArgument &argument : kernel.arguments)
      for (uint64_t n = 0; argument.isMemory() && n < argument.elements(); ++n) {
        BankAddress place = argument.place(n);
        arguments[argument.index].set(
            n, memories[argument.index][size_t(place.bank)][size_t(place.address)]);
      }
    return arguments;
  }

  rtl::Simulation &simulation;
  const KernelInterface &kernel;
  uint32_t stallPercent;
  CounterRandom random{stallPercent, 11};
  std::map<uint32_t, std::vector<Bank>> memories;
  std::map<uint32_t, Stream> streams;
};

} // namespace

/// Of the ends of streams; programs have no products.
static std::unique_ptr<rtl::ExternModel> modelOf(rtl::ExternOp unit,
                                                 mlir::DictionaryAttr parameters) {
  if (unit.getVerilogName() == "spindle_fifo")
    return std::make_unique<FifoModel>(unit, parameters);
  return nullptr;
}

llvm::Expected<SystemRun> runSystem(mlir::ModuleOp design, const KernelInterface &kernel,
                                    const std::vector<KernelArray> &arguments, uint64_t resetCycle,
                                    uint64_t mostCycles, uint32_t stallPercent) {
  SPINDLE_ASSIGN(std::unique_ptr<rtl::Simulation> simulation,
                 rtl::Simulation::create(design, kernel.top, modelOf));
  Bench bench(*simulation, kernel, stallPercent);
  bench.reset();
  if (resetCycle) {
    SPINDLE_ASSIGN(auto broken, bench.run(arguments, resetCycle, mostCycles));
    if (broken)
      return checkError("circuit", "ends before it is reset");
  }
  SPINDLE_ASSIGN(std::optional<SystemRun> first, bench.run(arguments, 0, mostCycles));
  SPINDLE_ASSIGN(std::optional<SystemRun> second, bench.run(arguments, 0, mostCycles));
  if (first->arguments != second->arguments ||
      (stallPercent == 0 && first->cycles != second->cycles))
    return checkError("circuit", "the second run differs from the first one");
  return std::move(*second);
}

} // namespace spindle::hls
