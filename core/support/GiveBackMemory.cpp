#include "core/support/GiveBackMemory.h"

#ifdef __gnu_linux__
#include <fstream>
#include <link.h>
#include <malloc.h>
#include <string>
#include <sys/mman.h>
#include <unistd.h>
#endif

namespace spindle {

#ifdef __gnu_linux__

static bool isTraced() {
  std::ifstream status("/proc/self/status");
  for (std::string word; status >> word;)
    if (word == "TracerPid:")
      return status >> word && word != "0";
  return true; // as far as anyone can tell
}

/// Of segments that are never written, whose pages are those of the file.
static int giveBackPages(dl_phdr_info *program, size_t, void *) {
  auto page = static_cast<uintptr_t>(sysconf(_SC_PAGESIZE));
  for (int k = 0; k < program->dlpi_phnum; ++k) {
    const ElfW(Phdr) &segment = program->dlpi_phdr[k];
    if (segment.p_type != PT_LOAD || segment.p_flags & PF_W)
      continue;
    uintptr_t start = program->dlpi_addr + segment.p_vaddr, end = start + segment.p_filesz;
    start = (start + page - 1) / page * page;
    end = end / page * page;
    if (start < end)
      madvise(reinterpret_cast<void *>(start), end - start, MADV_DONTNEED);
  }
  return 1; // the program stands first, libraries after it
}

void giveBackMemory() {
  malloc_trim(0);
  if (!isTraced())
    dl_iterate_phdr(giveBackPages, nullptr);
}

#else

void giveBackMemory() {}

#endif

} // namespace spindle
