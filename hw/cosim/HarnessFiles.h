// The sources of the test bench, compiled in: they are written beside every kernel.
#pragma once

namespace spindle::hls {

struct HarnessFile {
  const char *path; // from the root of includes
  const char *text;
};

extern const HarnessFile harnessFiles[26];

} // namespace spindle::hls
