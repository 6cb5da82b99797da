// A flow file: which model, data, conversion, chip, and how each stage is to work.
#pragma once

#include "core/kernel/BusInterface.h"
#include "core/support/formats/Json.h"
#include "lib/conversion/ann-to-snn/ConversionOptions.h"
#include "lib/conversion/fixed-point/FixedPointOptions.h"
#include "lib/conversion/snn-to-loops/CircuitOptions.h"
#include "lib/dataset/Dataset.h"
#include "lib/emulation/diagnosis/DiagnosisOptions.h"
#include "lib/emulation/runtime/EmulationOptions.h"
#include "lib/frontend/ModelOptions.h"
#include "lib/mapping/Map.h"
#include "lib/partition/PartitionOptions.h"
#include "lib/sdf/SdfOptions.h"
#include "sim/model/ChipSimulation.h"
#include "tools/spindle/stages/AssessmentOptions.h"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace spindle {

struct Flow {
  std::string path;
  Json settings; // as they were written, overrides applied
  std::vector<std::string> overrides;
  /// Where the sections are that libraries name in errors; the file for those that it leaves out.
  std::map<std::string, std::string> places;
  bool hasModel = false, hasDataset = false, hasFixedPoint = false, hasDiagnosis = false,
       hasChip = false, hasAssessment = false, hasHardware = false;
  bool hasLoads = false;  // a chip may take the network in loads (partition.multiplex)
  std::string modelName;  // path as the user wrote it
  ModelOptions model;     // paths resolved
  DatasetOptions dataset; // paths resolved when it is loaded
  ConversionOptions conversion;
  FixedPointOptions fixedPoint;
  EmulationOptions emulation;
  DiagnosisOptions diagnosis;
  std::string chip;      // resolved path
  std::string placement; // … of a list of neurons and their crossbars; empty: none
  PartitionOptions partition;
  SdfOptions analysis;
  MappingOptions mapping;
  ChipOptions simulation;
  AssessmentOptions assessment;
  std::string hardwareTarget;              // name or resolved path; empty: the default of synth
  std::optional<hls::AxiData> hardwareBus; // of arrays, where there is a bus
  int64_t hardwareChannels = 0;            // masters that share the memory; 0: one for each array
  CircuitOptions hardware;                 // steps are those of the emulation
};

/// Whether a target is a file: a name has neither folder nor ending.
bool isTargetFile(const std::string &target);

/// The chip that a flow, or the command line where `flow` is empty, names: one of ours by its name,
/// else the path of a file.
llvm::Expected<std::string> findChip(const std::string &chip, const std::string &flow,
                                     const std::string &place);

/// Reads a flow, one of the installed ones where the file does not exist, and applies `KEY=VALUE`
/// overrides in order. Sections may be absent; the stage that needs one says so.
llvm::Expected<Flow> readFlow(const std::string &file, const std::vector<std::string> &overrides);

} // namespace spindle
