#include "hw/hls/schedule/bounds/Components.h"

#include "core/support/StrongComponents.h"

#include "llvm/ADT/STLExtras.h"

namespace spindle::hls {

std::vector<Component> componentsOf(const Precedences &precedences) {
  size_t count = precedences.spans.size();
  if (count == 0)
    return {};
  std::vector<std::pair<uint32_t, uint32_t>> arcs;
  for (const Precedence &precedence : precedences.all)
    arcs.emplace_back(precedence.from, precedence.to);
  std::vector<uint32_t> componentOf = strongComponents(uint32_t(count), arcs);
  uint32_t last = *llvm::max_element(componentOf);
  std::vector<Component> result(last + 1);
  for (unsigned o : precedences.order) // who is reached comes after
    result[last - componentOf[o]].operations.push_back(o);
  for (Component &component : result)
    component.isCircle = component.operations.size() > 1;
  return result;
}

} // namespace spindle::hls
