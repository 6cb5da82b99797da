// Included before everything else in libraries with passes that count. Debian's LLVM is built without assertions and so
// without statistics; llvm/ADT/Statistic.h goes by our own NDEBUG, and in a preset with assertions a counter of a pass
// would have members that the constructor in libMLIR does not know and leaves as they are.
#ifndef NDEBUG
#define NDEBUG
#include "llvm/ADT/Statistic.h"
#undef NDEBUG
#include <cassert>
#endif
