#include "hw/cosim/harness/plain/MemoryModel.h"

namespace spindle::hls {

MemoryModel::MemoryModel(const MemoryPins &memoryPins, uint64_t seed)
    : pins(memoryPins), state(seed * 2 + 1) {
  size_t ports = 0;
  for (const std::vector<PortPins> &bank : pins.banks) {
    firstPorts.push_back(ports);
    ports += bank.size();
  }
  stages.assign(pins.readLatency, std::vector<std::optional<uint64_t>>(ports));
  words.assign(pins.banks.size() * pins.words, 0);
  written.assign(words.size(), kNever);
}

void MemoryModel::load(const Words &contents) {
  words = contents;
  written.assign(words.size(), kNever);
  for (auto &stage : stages)
    stage.assign(stage.size(), std::nullopt);
}

/// xorshift64.
uint64_t MemoryModel::garbage() {
  state ^= state << 13;
  state ^= state >> 7;
  state ^= state << 17;
  return state & pins.mask;
}

std::optional<MemoryModel::Access> MemoryModel::accessAt(const PortPins &port) const {
  if (!port.enable.get())
    return std::nullopt;
  return Access{port.write.get() != 0, port.address.get(), port.writeData.get()};
}

std::string MemoryModel::wordName(size_t bank, size_t port, const Access &access) const {
  return "port " + std::to_string(port) + " of bank " + std::to_string(bank) +
         (access.isWrite ? " writes" : " reads") + " word " + std::to_string(access.address);
}

std::string MemoryModel::lastAccess(uint64_t now) const {
  return last ? wordName(last->bank, last->port, last->access) + " " +
                    std::to_string(now - last->cycle) + " cycles ago"
              : "";
}

std::optional<std::string> MemoryModel::faultOf(size_t bank, size_t port, bool mayWrite) const {
  const Access &access = *accesses[port];
  auto name = [&] { return pins.name + ": " + wordName(bank, port, access); };
  if (access.isWrite && !mayWrite)
    return name() + " while no run is under way";
  if (access.address >= pins.words)
    return name() + ", expected 0 to " + std::to_string(pins.words - 1);
  if (access.isWrite && !pins.isWritten)
    return name() + ", but the kernel only reads this array";
  for (size_t q = 0; q < port; ++q)
    if (accesses[q] && accesses[q]->address == access.address &&
        (accesses[q]->isWrite || access.isWrite))
      return name() + ", which port " + std::to_string(q) +
             (accesses[q]->isWrite ? " writes" : " reads") + " in the same cycle";
  return std::nullopt;
}

void MemoryModel::perform(size_t bank, size_t port, const Access &access, uint64_t cycle) {
  size_t word = bank * pins.words + access.address;
  if (access.isWrite) {
    words[word] = access.data;
    written[word] = cycle;
    ++writeCount;
  } else {
    stages[0][firstPorts[bank] + port] = words[word];
    ++readCount;
  }
  last = {bank, port, access, cycle};
}

std::optional<std::string> MemoryModel::sampleBank(size_t bank, uint64_t cycle, bool mayWrite) {
  const std::vector<PortPins> &ports = pins.banks[bank];
  accesses.assign(ports.size(), std::nullopt);
  for (size_t p = 0; p < ports.size(); ++p) {
    accesses[p] = accessAt(ports[p]);
    if (accesses[p] && !accesses[p]->isWrite && !mayWrite)
      accesses[p].reset(); // of a kernel that waits: nobody looks at the data
    if (!accesses[p])
      continue;
    if (std::optional<std::string> fault = faultOf(bank, p, mayWrite))
      return fault;
  }
  for (size_t p = 0; p < ports.size(); ++p)
    if (accesses[p])
      perform(bank, p, *accesses[p], cycle);
  return std::nullopt;
}

std::optional<std::string> MemoryModel::sample(uint64_t cycle, bool mayWrite) {
  for (size_t s = stages.size(); s-- > 1;)
    stages[s] = stages[s - 1];
  stages[0].assign(stages[0].size(), std::nullopt);
  for (size_t bank = 0; bank < pins.banks.size(); ++bank)
    if (std::optional<std::string> fault = sampleBank(bank, cycle, mayWrite))
      return fault;
  return std::nullopt;
}

void MemoryModel::drive() {
  size_t at = 0;
  for (const std::vector<PortPins> &bank : pins.banks)
    for (const PortPins &port : bank) {
      const std::optional<uint64_t> &data = stages.back()[at++];
      port.readData.set(data ? *data : garbage());
    }
}

} // namespace spindle::hls
