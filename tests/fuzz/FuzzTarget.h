// What is fuzzed: a function for each kind of file. libFuzzer calls one of them (Entry.cpp); the
// tests replay the corpora and their mutations with all of them.
#pragma once

#include <cstddef>
#include <cstdint>

namespace spindle {

/// Reads the bytes as a file. Files that are refused are fine; a result that breaks what its reader
/// promises stops the process.
using FuzzFunction = void(const uint8_t *data, size_t size);

FuzzFunction fuzzChip, fuzzCsv, fuzzGraph, fuzzIdx, fuzzJson, fuzzMlir, fuzzNetwork, fuzzNir,
    fuzzNpz, fuzzOnnx, fuzzPackets, fuzzPng, fuzzSanafe, fuzzSdf, fuzzSpikes, fuzzYaml;

struct FuzzTarget {
  const char *name; // of its corpus, too
  FuzzFunction *read;
};
inline constexpr FuzzTarget kFuzzTargets[] = {
    {"chip", fuzzChip},     {"csv", fuzzCsv},   {"graph", fuzzGraph},     {"idx", fuzzIdx},
    {"json", fuzzJson},     {"mlir", fuzzMlir}, {"network", fuzzNetwork}, {"nir", fuzzNir},
    {"npz", fuzzNpz},       {"onnx", fuzzOnnx}, {"packets", fuzzPackets}, {"png", fuzzPng},
    {"sanafe", fuzzSanafe}, {"sdf", fuzzSdf},   {"spikes", fuzzSpikes},   {"yaml", fuzzYaml}};

/// Stops the process where something of an HDF5 file is still open.
void expectHdf5Closed();

} // namespace spindle
