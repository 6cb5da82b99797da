// The entry of libFuzzer; the build says which function it is for.
#include "tests/fuzz/FuzzTarget.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  spindle::SPINDLE_FUZZ_FUNCTION(data, size);
  return 0;
}
