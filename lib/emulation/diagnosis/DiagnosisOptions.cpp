#include "lib/emulation/diagnosis/DiagnosisOptions.h"

namespace spindle {

void readDiagnosisOptions(YamlReader &reader, DiagnosisOptions &options) {
  reader.read("samples", options.samples, int64_t(1),
              int64_t(std::numeric_limits<uint32_t>::max())); // all of them are recorded
}

} // namespace spindle
