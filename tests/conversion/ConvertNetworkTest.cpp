// Which samples a conversion is fitted to and which judge it, with trials by the second evaluator.
#include "lib/conversion/ann-to-snn/ConvertNetwork.h"

#include "tests/conversion/AnnToSnnFixture.h"

#include <set>

namespace spindle {
namespace {

using test::evaluate;
using test::Signal;

uint32_t classOf(const Signal &answer) {
  return uint32_t(std::max_element(answer.begin(), answer.end()) - answer.begin());
}

class ConvertNetwork : public test::AnnToSnn, public NetworkTrials {
protected:
  ConvertNetwork() {
    ann = parse(perceptron(40));
    options.steps = 16;
    options.fitWeights = false;
    options.maxLoss = 100;
  }

  /// Samples that know their number: 1000 times their first value. Every third label is wrong.
  Samples numbered(uint32_t count) {
    Samples samples{{4}, {}, {}, {}};
    for (uint32_t index = 0; index < count; ++index) {
      Signal input = randomInput(4);
      input[0] = index / 1000.0;
      samples.values.insert(samples.values.end(), input.begin(), input.end());
      samples.labels.push_back((classOf(evaluate(*ann, input, 1)) + (index % 3 == 0)) % 2);
    }
    return samples;
  }
  static std::vector<Signal> inputsOf(const Samples &samples, std::set<int> *seen = nullptr) {
    std::vector<Signal> inputs;
    for (size_t index = 0; index < samples.count(); ++index) {
      inputs.emplace_back(samples.sample(index), samples.sample(index + 1));
      if (seen)
        seen->insert(int(std::lround(inputs.back()[0] * 1000)));
    }
    return inputs;
  }

  llvm::Expected<Activations> activations(mlir::ModuleOp network, const Samples &samples) override {
    return calibrate(network, inputsOf(samples, &fitted));
  }
  llvm::Expected<std::vector<uint32_t>> classify(mlir::ModuleOp network,
                                                 const Samples &samples) override {
    std::vector<uint32_t> answers;
    for (const Signal &input : inputsOf(samples))
      answers.push_back(classOf(evaluate(network, input, 1)));
    return answers;
  }
  llvm::Error record(mlir::ModuleOp, const SignalTap &, const Samples &samples, int64_t,
                     SignalReader) override {
    inputsOf(samples, &fitted);
    return llvm::Error::success();
  }
  llvm::Expected<EmulationSummary> emulate(mlir::ModuleOp snn, const Samples &samples,
                                           int64_t steps) override {
    std::vector<Signal> inputs = inputsOf(samples, &judging);
    EmulationSummary summary;
    summary.samples = inputs.size();
    summary.spikes = {inputs.size()};
    summary.correctByStep.assign(size_t(steps), 0);
    for (size_t index = 0; index < inputs.size(); ++index)
      for (int64_t step = 1; step <= steps; ++step)
        summary.correctByStep[size_t(step - 1)] +=
            classOf(evaluate(snn, inputs[index], int(step))) == samples.labels[index];
    return summary;
  }

  mlir::OwningOpRef<mlir::ModuleOp> ann;
  ConversionOptions options;
  std::set<int> fitted, judging;
};

std::set<int> range(int from, int to) {
  std::set<int> numbers;
  for (int number = from; number < to; ++number)
    numbers.insert(number);
  return numbers;
}

TEST_F(ConvertNetwork, TheSearchIsJudgedBySamplesThatNothingIsFittedTo) {
  options.method = ConversionMethod::Auto;
  SpikingNetwork network =
      llvm::cantFail(convertNetwork(*ann, numbered(41), options, *this, "flow.yaml"));
  EXPECT_EQ(fitted, range(0, 20));
  EXPECT_EQ(judging, range(20, 41));
  ASSERT_TRUE(network.summary.heldOut);
  EXPECT_EQ(network.summary.heldOut->samples, 21u);
}

TEST_F(ConvertNetwork, OtherMethodsAreFittedToAllSamples) {
  for (ConversionMethod method :
       {ConversionMethod::Percentile, ConversionMethod::Maximum, ConversionMethod::Calibrated}) {
    options.method = method;
    fitted.clear();
    llvm::cantFail(convertNetwork(*ann, numbered(30), options, *this, "flow.yaml"));
    EXPECT_EQ(fitted, range(0, 30));
    EXPECT_TRUE(judging.empty());
  }
}

TEST_F(ConvertNetwork, ASearchNeedsTwoSamples) {
  options.method = ConversionMethod::Auto;
  llvm::Expected<SpikingNetwork> network =
      convertNetwork(*ann, numbered(1), options, *this, "flow.yaml");
  EXPECT_EQ(toText(network.takeError()),
            "flow.yaml: error: conversion.method: auto needs two calibration samples or more; "
            "raise dataset.calibration.limit");
}

} // namespace
} // namespace spindle
