// Factorisations, statistics and recursions that divide by what they computed.
#pragma once

#include "tests/kernels/polybench/Reference.h"

#include <cmath>

namespace spindle::polybench {

template <typename T> void cholesky(Operands<T> &o) {
  auto &A = o.arrays[0];
  for (int i = 0; i < A.extent(0); ++i) {
    for (int j = 0; j < i; ++j) {
      for (int k = 0; k < j; ++k)
        A(i, j) -= A(i, k) * A(j, k);
      A(i, j) /= A(j, j);
    }
    for (int k = 0; k < i; ++k)
      A(i, i) -= A(i, k) * A(i, k);
    A(i, i) = std::sqrt(A(i, i));
  }
}

template <typename T> void factor(Array<T> &A) {
  int n = A.extent(0);
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) {
      for (int k = 0; k < std::min(i, j); ++k)
        A(i, j) -= A(i, k) * A(k, j);
      if (j < i)
        A(i, j) /= A(j, j);
    }
}

template <typename T> void lu(Operands<T> &o) { factor(o.arrays[0]); }

template <typename T> void ludcmp(Operands<T> &o) {
  auto &A = o.arrays[0], &b = o.arrays[1], &x = o.arrays[2], &y = o.arrays[3];
  int n = A.extent(0);
  factor(A);
  for (int i = 0; i < n; ++i) {
    y(i) = b(i);
    for (int j = 0; j < i; ++j)
      y(i) -= A(i, j) * y(j);
  }
  for (int i = n - 1; i >= 0; --i) {
    x(i) = y(i);
    for (int j = i + 1; j < n; ++j)
      x(i) -= A(i, j) * x(j);
    x(i) /= A(i, i);
  }
}

template <typename T> void durbin(Operands<T> &o) {
  auto &r = o.arrays[0], &y = o.arrays[1];
  int n = r.extent(0);
  T alpha = -r(0), beta = 1;
  y(0) = alpha;
  for (int k = 1; k < n; ++k) {
    beta = (1 - alpha * alpha) * beta;
    T sum = 0;
    for (int i = 0; i < k; ++i)
      sum += r(k - i - 1) * y(i);
    alpha = -(r(k) + sum) / beta;
    std::vector<T> z(k);
    for (int i = 0; i < k; ++i)
      z[i] = y(i) + alpha * y(k - i - 1);
    for (int i = 0; i < k; ++i)
      y(i) = z[i];
    y(k) = alpha;
  }
}

template <typename T> void gramschmidt(Operands<T> &o) {
  auto &A = o.arrays[0], &R = o.arrays[1], &Q = o.arrays[2];
  int rows = A.extent(0), columns = A.extent(1);
  for (int k = 0; k < columns; ++k) {
    T norm = 0;
    for (int i = 0; i < rows; ++i)
      norm += A(i, k) * A(i, k);
    R(k, k) = std::sqrt(norm);
    for (int i = 0; i < rows; ++i)
      Q(i, k) = A(i, k) / R(k, k);
    for (int j = k + 1; j < columns; ++j) {
      R(k, j) = 0;
      for (int i = 0; i < rows; ++i)
        R(k, j) += Q(i, k) * A(i, j);
      for (int i = 0; i < rows; ++i)
        A(i, j) -= Q(i, k) * R(k, j);
    }
  }
}

template <typename T> void averages(Array<T> &data, Array<T> &mean, T count) {
  for (int j = 0; j < data.extent(1); ++j) {
    mean(j) = 0;
    for (int i = 0; i < data.extent(0); ++i)
      mean(j) += data(i, j);
    mean(j) /= count;
  }
}

template <typename T> void covariance(Operands<T> &o) {
  auto &data = o.arrays[0], &cov = o.arrays[1], &mean = o.arrays[2];
  T count = o.scalars[0];
  averages(data, mean, count);
  for (int i = 0; i < data.extent(0); ++i)
    for (int j = 0; j < data.extent(1); ++j)
      data(i, j) -= mean(j);
  for (int i = 0; i < data.extent(1); ++i)
    for (int j = i; j < data.extent(1); ++j) {
      T sum = 0;
      for (int k = 0; k < data.extent(0); ++k)
        sum += data(k, i) * data(k, j);
      cov(i, j) = cov(j, i) = sum / (count - T(1));
    }
}

template <typename T> void correlation(Operands<T> &o) {
  auto &data = o.arrays[0], &corr = o.arrays[1], &mean = o.arrays[2], &deviation = o.arrays[3];
  T count = o.scalars[0];
  int rows = data.extent(0), columns = data.extent(1);
  averages(data, mean, count);
  for (int j = 0; j < columns; ++j) {
    T sum = 0;
    for (int i = 0; i < rows; ++i)
      sum += (data(i, j) - mean(j)) * (data(i, j) - mean(j));
    deviation(j) = std::sqrt(sum / count);
    if (deviation(j) <= T(0.1))
      deviation(j) = 1;
  }
  for (int i = 0; i < rows; ++i)
    for (int j = 0; j < columns; ++j)
      data(i, j) = (data(i, j) - mean(j)) / (std::sqrt(count) * deviation(j));
  for (int i = 0; i < columns; ++i) {
    corr(i, i) = 1;
    for (int j = i + 1; j < columns; ++j) {
      T sum = 0;
      for (int k = 0; k < rows; ++k)
        sum += data(k, i) * data(k, j);
      corr(i, j) = corr(j, i) = sum;
    }
  }
}

} // namespace spindle::polybench
