// The program of a test bench: STIMULUS RESPONSE [WAVEFORM]. It is compiled together with the
// circuit, in whose folder it lies.
#include "Adapter.h"
#include "Vkernel.h"
#include "verilated.h"
#if VM_TRACE
#include "verilated_vcd_c.h"
#endif

#include <cstdio>

namespace spindle::hls {

static int simulate(int argc, char **argv) {
  Stimulus stimulus;
  if (argc < 3 || !readStimulus(argv[1], stimulus)) {
    std::fprintf(stderr, "expected a stimulus and where to write the response\n");
    return 1;
  }
  VerilatedContext context;
  context.randReset(2); // registers without a reset start with anything
  context.randSeed(static_cast<int>(stimulus.seed % 0x7fffffff));
  Vkernel kernel(&context);
  BenchPins pins;
  connect(kernel, pins);
  pins.evaluate = [&] { kernel.eval(); };
#if VM_TRACE
  VerilatedVcdC waveform;
  if (argc > 3) {
    context.traceEverOn(true);
    kernel.trace(&waveform, 99);
    waveform.open(argv[3]);
    pins.trace = [&](uint64_t moment) { waveform.dump(moment); };
  }
#endif
  Response response = runBench(pins, stimulus);
#if VM_TRACE
  waveform.close();
#endif
  kernel.final();
  return writeResponse(argv[2], response) ? 0 : 1;
}

} // namespace spindle::hls

int main(int argc, char **argv) { return spindle::hls::simulate(argc, argv); }
