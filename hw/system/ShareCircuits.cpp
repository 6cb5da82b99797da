#include "hw/system/ShareCircuits.h"

#include "dialects/system/ChainCover.h"

#include <map>

namespace spindle::hls {

void shareCircuits(TaskGraph &graph, const CircuitCycles &cycles) {
  Distances least = leastDistances(graph, cycles);
  std::map<std::string, std::vector<uint32_t>> ofKernels; // their tasks
  for (uint32_t task = 0; task < graph.tasks.size(); ++task)
    ofKernels[graph.circuits[graph.tasks[task].circuit]].push_back(task);
  std::vector<std::pair<std::string, uint32_t>> sharers(graph.tasks.size()); // kernel, chain
  for (const auto &[kernel, tasks] : ofKernels) {
    std::vector<llvm::SmallBitVector> before(tasks.size(),
                                             llvm::SmallBitVector(unsigned(tasks.size())));
    for (unsigned late = 0; late < tasks.size(); ++late)
      for (unsigned early = 0; early < late; ++early)
        if (least[tasks[early]][tasks[late]] == 0)
          before[late].set(early);
    std::vector<uint32_t> chains = system::coverByChains(before);
    for (size_t n = 0; n < tasks.size(); ++n)
      sharers[tasks[n]] = {kernel, chains[n]};
  }
  std::map<std::pair<std::string, uint32_t>, uint32_t> numbers;
  graph.circuits.clear();
  for (uint32_t task = 0; task < graph.tasks.size(); ++task) {
    auto [number, isNew] = numbers.try_emplace(sharers[task], uint32_t(graph.circuits.size()));
    if (isNew)
      graph.circuits.push_back(sharers[task].first);
    graph.tasks[task].circuit = number->second;
  }
}

} // namespace spindle::hls
