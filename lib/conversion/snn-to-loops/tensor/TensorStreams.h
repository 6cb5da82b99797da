// Integers on their way to a tensor layer, and from one to the next.
#pragma once

#include "lib/conversion/snn-to-loops/events/Processes.h"
#include "lib/conversion/snn-to-loops/tensor/TensorLayer.h"

namespace spindle::snn_to_loops {

/// What a layer takes at a time: a token from each stream, whose values follow each other from the
/// lowest bit on.
struct TensorTokens {
  struct Token {
    mlir::Value stream;
    llvm::SmallVector<int64_t> values; // the places of its values among all that come at a time
  };
  std::vector<Token> tokens;
  unsigned bits = 0; // of a value
};

/// Words of values, and the streams of their parts.
struct TensorStreams {
  SpikeWords layout;
  ValueWords words;
  llvm::SmallVector<mlir::Value> parts;
  unsigned bits = 0; // of a value

  TensorTokens tokens() const;
};

/// The words that a layer reads its input in, `described.inputs` values of which a dense layer
/// takes at a time: of an image the channels of a place; of one that a dense layer takes some
/// channels of a place. `made` is the shape in which the circuit makes it; none: it comes from
/// outside. Errors: inputs that are too many or divide no place, an image of another shape than the
/// one that is made.
llvm::Expected<SpikeWords> wordsFor(const TensorLayer &layer, const HardwareLayer &described,
                                    std::optional<llvm::ArrayRef<int64_t>> made);

/// How many spikes each neuron has made, at most `maximum`, after the last step of every sample;
/// `name` is that of the process. Neurons are the elements of both `spikes` and `out`.
void emitSpikeCounts(ProgramBuilder &program, mlir::Location location, const SpikeStreams &spikes,
                     int64_t maximum, const TensorStreams &out, const std::string &name);

/// From the places of an image to what windows are made of: for each place of the output and each
/// row of its window words of `neighbours` places, all their channels, as many words as the row
/// takes. Behind the row's last place there is anything.
TensorTokens emitWindows(ProgramBuilder &program, const TensorLayer &tensor,
                         const TensorStreams &image, int64_t neighbours, const std::string &layer);

/// The layer as a process: `layer.lanes` outputs of a dense layer, or all filters of a place, side
/// by side, each taking `layer.inputs` values at a time (of windows neighbours in a row, all
/// channels). What it hands on goes to `out`. `layer` gets the bits of weights. Errors: lanes or
/// inputs that do not fit.
llvm::Error emitTensorLayer(ProgramBuilder &program, TensorLayer tensor, const TensorStreams &in,
                            const TensorStreams &out, HardwareLayer &layer);

} // namespace spindle::snn_to_loops
