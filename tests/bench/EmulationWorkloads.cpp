#include "tests/bench/LayeredWorkload.h"
#include "tests/bench/RecurrentWorkload.h"

namespace spindle::bench {

std::vector<WorkloadEntry> emulationWorkloads() {
  using enum LayerSpec::Kind;
  std::vector<WorkloadEntry> workloads;
  auto layered = [&](const char *name, test::Shape input, std::vector<LayerSpec> layers,
                     size_t samples, int64_t steps) {
    workloads.push_back(
        {name, [=] { return std::make_unique<LayeredWorkload>(input, layers, samples, steps); }});
  };
  auto recurrent = [&](const char *name, RecurrentSpec spec) {
    workloads.push_back({name, [=] { return std::make_unique<RecurrentWorkload>(spec); }});
  };

  layered("tiny", {1, 6, 6},
          {{Convolution, 3, 3, 1, 0.05, 0.3},
           {Pool, 0, 2},
           {Dense, 20, 1, 0, 0.1, 0.3},
           {Dense, 4, 1, 0, 0.1, 0.3}},
          20, 50);
  recurrent(
      "tiny-cuba",
      {.neurons = 400, .excitatoryWeight = 1.62f, .inhibitoryWeight = -9, .leakPotential = -49});
  for (WorkloadEntry &entry : workloads)
    entry.isForTests = true;

  // 2.7e9 synaptic events, rates about 14, 10, 10 %.
  layered("mlp", {784},
          {{Dense, 1024, 1, 0, 2e-4, 0.055},
           {Dense, 1024, 1, 0, 2e-4, 0.045},
           {Dense, 10, 1, 0, 1e-3, 0.05}},
          100, 100);
  // 2.0e9 synaptic events, rates 7 to 16 %.
  layered("lenet", {1, 28, 28},
          {{Convolution, 6, 5, 2, 0.02, 0.25},
           {Pool, 0, 2},
           {Convolution, 16, 5, 0, 0.005, 0.15},
           {Pool, 0, 2},
           {Dense, 120, 1, 0, 0.003, 0.12},
           {Dense, 84, 1, 0, 0.005, 0.12},
           {Dense, 10, 1, 0, 0.005, 0.12}},
          100, 100);
  recurrent(
      "cuba4k",
      {.neurons = 4000, .excitatoryWeight = 1.62f, .inhibitoryWeight = -9, .leakPotential = -49});
  recurrent("cuba40k", {.neurons = 40000,
                        .excitatoryWeight = 0.162f,
                        .inhibitoryWeight = -0.9f,
                        .leakPotential = -49,
                        .equalSteps = 100}); // Brian2 in f32 leaves its f64 at step 135
  recurrent("coba4k", {.neurons = 4000,
                       .conductances = true,
                       .excitatoryWeight = 0.4f,
                       .inhibitoryWeight = 5.1f,
                       .delay = 8,
                       .leakPotential = -60,
                       .input = 20});
  return workloads;
}

} // namespace spindle::bench
