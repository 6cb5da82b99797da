// What the PolyBench kernels compute, written from the benchmark's definitions: loops over arrays,
// every sum in the benchmark's order.
#pragma once

#include <map>
#include <string>
#include <vector>

namespace spindle::polybench {

/// A dense array of up to three dimensions.
template <typename T> class Array {
public:
  Array(std::vector<int> extents, std::vector<T> values)
      : shape(std::move(extents)), data(std::move(values)) {}

  T &operator()(int i) { return data[i]; }
  T &operator()(int i, int j) { return data[i * shape[1] + j]; }
  T &operator()(int i, int j, int k) { return data[(i * shape[1] + j) * shape[2] + k]; }
  int extent(int dimension) const { return shape[dimension]; }

  std::vector<int> shape;
  std::vector<T> data;
};

/// Scalars and arrays of a kernel, each in the order of its arguments. Extents of the problem are
/// those of the arrays; `steps` is the number of time steps.
template <typename T> struct Operands {
  std::vector<T> scalars;
  std::vector<Array<T>> arrays;
  int steps = 0;
};

template <typename T> using Kernel = void (*)(Operands<T> &);

/// By the kernel's name as in the file names.
std::map<std::string, Kernel<double>> doubleKernels();
std::map<std::string, Kernel<float>> floatKernels();
std::map<std::string, Kernel<int>> integerKernels(); // those that mean something in integers

} // namespace spindle::polybench
