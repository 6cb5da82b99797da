// A chip file to change for a test.
#pragma once

namespace spindle {

inline constexpr const char *kSmallChip = R"(format: spindle-chip
version: 1
name: small
mesh: {columns: 4, rows: 2}
crossbars_per_tile: 2
crossbar: {rows: 64, columns: 32, weight_bits: 4}
router:
  pipeline_cycles: 5
clock_mhz: {value: 250, source: "a"}
latency:
  row_read_cycles: {value: 7, source: "b"}
  neuron_update_cycles: {value: 2, source: "c"}
  step_barrier_cycles: {value: 9, source: "d"}
energy:
  synapse_pj: {value: 0.5, source: "e"}
)";

} // namespace spindle
