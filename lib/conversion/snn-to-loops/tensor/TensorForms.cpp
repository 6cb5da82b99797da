#include "lib/conversion/snn-to-loops/tensor/TensorForms.h"

#include "dialects/snn/Names.h"

#include <algorithm>
#include <numeric>

using namespace mlir;

namespace spindle {

static int64_t roundedUp(int64_t a, int64_t b) { return (a + b - 1) / b; }

TensorChoice choiceOf(snn::DenseOp dense, int64_t leastLanes) {
  ArrayRef<int64_t> weights = snn::shapeOf(dense.getWeight());
  TensorChoice layer{snn::nameOf(dense)};
  for (int64_t lanes = leastLanes; lanes <= weights[0]; ++lanes)
    if (weights[0] % lanes == 0)
      layer.forms.push_back({lanes, 1, lanes, weights[0] / lanes * weights[1]});
  return layer;
}

TensorChoice choiceOf(snn::Conv2dOp convolution) {
  ArrayRef<int64_t> weights = snn::shapeOf(convolution.getWeight());
  ArrayRef<int64_t> image = snn::shapeOf(convolution.getInput()),
                    padding = convolution.getPadding();
  int64_t places = (image[1] + padding[0] + padding[2]) * (image[2] + padding[1] + padding[3]);
  TensorChoice layer{snn::nameOf(convolution), true};
  for (int64_t inputs = 1; inputs <= weights[3]; ++inputs) {
    int64_t words = roundedUp(weights[3], inputs);
    if (inputs == 1 || words < roundedUp(weights[3], inputs - 1))
      layer.forms.push_back(
          {weights[0], inputs, weights[0] * inputs * weights[1], places * weights[2] * words});
  }
  return layer;
}

int64_t productsOf(const std::vector<TensorChoice> &layers) {
  return std::accumulate(
      layers.begin(), layers.end(), int64_t(0),
      [](int64_t sum, const TensorChoice &one) { return sum + one.form().products; });
}

bool balance(std::vector<TensorChoice> &layers, double most, double enough) {
  if (double(productsOf(layers)) > most)
    return false;
  while (!layers.empty()) {
    auto slowest = std::max_element(layers.begin(), layers.end(),
                                    [](const TensorChoice &a, const TensorChoice &b) {
                                      return a.form().cycles < b.form().cycles;
                                    });
    bool isFast = double(slowest->form().cycles) <= enough;
    if (isFast || slowest->chosen + 1 == slowest->forms.size())
      break;
    ++slowest->chosen;
    if (double(productsOf(layers)) > most) {
      --slowest->chosen;
      break;
    }
  }
  return true;
}

bool balanceSum(std::vector<TensorChoice> &layers, double most, double enough) {
  auto total = static_cast<double>(productsOf(layers));
  if (total > most)
    return false;
  while (true) {
    double cycles = 0, bestGain = 0;
    TensorChoice *best = nullptr;
    for (TensorChoice &layer : layers) {
      cycles += double(layer.form().cycles);
      if (layer.chosen + 1 == layer.forms.size())
        continue;
      const TensorForm &next = layer.forms[layer.chosen + 1];
      auto more = double(next.products - layer.form().products);
      double gain = double(layer.form().cycles - next.cycles) / std::max(more, 1.0);
      if (total + more <= most && gain > bestGain) {
        bestGain = gain;
        best = &layer;
      }
    }
    if (!best || cycles <= enough)
      return true;
    total -= double(best->form().products);
    ++best->chosen;
    total += double(best->form().products);
  }
}

double fastest(const TensorChoice &layer) {
  double least = double(layer.forms.front().cycles);
  for (const TensorForm &form : layer.forms)
    least = std::min(least, double(form.cycles));
  return least;
}

} // namespace spindle
