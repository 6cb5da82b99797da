#include "lib/emulation/lanes/CodeCache.h"

#include "lib/emulation/lanes/HostTarget.h"

namespace spindle::lanes {

CodeCache::Code CodeCache::find(const std::string &text) {
  std::scoped_lock lock(mutex);
  for (auto entry = entries.begin(); entry != entries.end(); ++entry)
    if (entry->first == text) {
      entries.splice(entries.begin(), entries, entry);
      return entry->second;
    }
  return nullptr;
}

void CodeCache::keep(std::string text, Code code) {
  std::scoped_lock lock(mutex);
  entries.emplace_front(std::move(text), std::move(code));
  if (entries.size() > kMost)
    entries.pop_back();
}

llvm::Expected<CodeCache::Code> CodeCache::get(mlir::ModuleOp module,
                                               llvm::function_ref<llvm::Expected<Code>()> compile) {
  std::string text = processor() + "\n";
  llvm::raw_string_ostream stream(text);
  module.print(stream);
  if (Code known = find(text))
    return known;
  SPINDLE_ASSIGN(Code made, compile());
  keep(std::move(text), made);
  return made;
}

} // namespace spindle::lanes
