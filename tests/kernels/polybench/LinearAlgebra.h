// Products of matrices and vectors, and triangular solvers without roots.
#pragma once

#include "tests/kernels/polybench/Reference.h"

namespace spindle::polybench {

template <typename T> void gemm(Operands<T> &o) {
  T alpha = o.scalars[0], beta = o.scalars[1];
  auto &C = o.arrays[0], &A = o.arrays[1], &B = o.arrays[2];
  for (int i = 0; i < C.extent(0); ++i)
    for (int j = 0; j < C.extent(1); ++j) {
      T sum = C(i, j) * beta;
      for (int k = 0; k < A.extent(1); ++k)
        sum += alpha * A(i, k) * B(k, j);
      C(i, j) = sum;
    }
}

/// result := factor * left * right, added to what is there.
template <typename T>
void addProduct(Array<T> &result, Array<T> &left, Array<T> &right, const T *factor = nullptr) {
  for (int i = 0; i < result.extent(0); ++i)
    for (int j = 0; j < result.extent(1); ++j)
      for (int k = 0; k < left.extent(1); ++k)
        result(i, j) += (factor ? *factor * left(i, k) : left(i, k)) * right(k, j);
}

template <typename T> void scale(Array<T> &array, T factor) {
  for (T &value : array.data)
    value *= factor;
}

template <typename T> void clear(Array<T> &array) { array.data.assign(array.data.size(), T(0)); }

template <typename T> void twoProducts(Operands<T> &o) {
  auto &tmp = o.arrays[0], &A = o.arrays[1], &B = o.arrays[2], &C = o.arrays[3], &D = o.arrays[4];
  clear(tmp);
  addProduct(tmp, A, B, &o.scalars[0]);
  scale(D, o.scalars[1]);
  addProduct(D, tmp, C);
}

template <typename T> void threeProducts(Operands<T> &o) {
  auto &E = o.arrays[0], &A = o.arrays[1], &B = o.arrays[2], &F = o.arrays[3];
  auto &C = o.arrays[4], &D = o.arrays[5], &G = o.arrays[6];
  for (Array<T> *result : {&E, &F, &G})
    clear(*result);
  addProduct(E, A, B);
  addProduct(F, C, D);
  addProduct(G, E, F);
}

template <typename T> void atax(Operands<T> &o) {
  auto &A = o.arrays[0], &x = o.arrays[1], &y = o.arrays[2], &tmp = o.arrays[3];
  clear(y);
  for (int i = 0; i < A.extent(0); ++i) {
    tmp(i) = 0;
    for (int j = 0; j < A.extent(1); ++j)
      tmp(i) += A(i, j) * x(j);
    for (int j = 0; j < A.extent(1); ++j)
      y(j) += A(i, j) * tmp(i);
  }
}

template <typename T> void bicg(Operands<T> &o) {
  auto &A = o.arrays[0], &s = o.arrays[1], &q = o.arrays[2], &p = o.arrays[3], &r = o.arrays[4];
  for (int j = 0; j < A.extent(1); ++j) {
    s(j) = 0;
    for (int i = 0; i < A.extent(0); ++i)
      s(j) += r(i) * A(i, j);
  }
  for (int i = 0; i < A.extent(0); ++i) {
    q(i) = 0;
    for (int j = 0; j < A.extent(1); ++j)
      q(i) += A(i, j) * p(j);
  }
}

template <typename T> void mvt(Operands<T> &o) {
  auto &x1 = o.arrays[0], &x2 = o.arrays[1], &y1 = o.arrays[2], &y2 = o.arrays[3], &A = o.arrays[4];
  for (int i = 0; i < A.extent(0); ++i)
    for (int j = 0; j < A.extent(1); ++j) {
      x1(i) += A(i, j) * y1(j);
      x2(i) += A(j, i) * y2(j);
    }
}

template <typename T> void doitgen(Operands<T> &o) {
  auto &A = o.arrays[0], &C4 = o.arrays[1], &sum = o.arrays[2];
  for (int r = 0; r < A.extent(0); ++r)
    for (int q = 0; q < A.extent(1); ++q) {
      for (int p = 0; p < A.extent(2); ++p) {
        sum(p) = 0;
        for (int s = 0; s < A.extent(2); ++s)
          sum(p) += A(r, q, s) * C4(s, p);
      }
      for (int p = 0; p < A.extent(2); ++p)
        A(r, q, p) = sum(p);
    }
}

template <typename T> void gemver(Operands<T> &o) {
  T alpha = o.scalars[0], beta = o.scalars[1];
  auto &A = o.arrays[0], &u1 = o.arrays[1], &v1 = o.arrays[2], &u2 = o.arrays[3], &v2 = o.arrays[4],
       &w = o.arrays[5], &x = o.arrays[6], &y = o.arrays[7], &z = o.arrays[8];
  int n = A.extent(0);
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j)
      A(i, j) = A(i, j) + u1(i) * v1(j) + u2(i) * v2(j);
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j)
      x(i) += beta * A(j, i) * y(j);
    x(i) += z(i);
  }
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j)
      w(i) += alpha * A(i, j) * x(j);
}

template <typename T> void gesummv(Operands<T> &o) {
  auto &A = o.arrays[0], &B = o.arrays[1], &tmp = o.arrays[2], &x = o.arrays[3], &y = o.arrays[4];
  for (int i = 0; i < A.extent(0); ++i) {
    T ax = 0, bx = 0;
    for (int j = 0; j < A.extent(0); ++j) {
      ax += A(i, j) * x(j);
      bx += B(i, j) * x(j);
    }
    tmp(i) = ax;
    y(i) = o.scalars[0] * ax + o.scalars[1] * bx;
  }
}

template <typename T> void symm(Operands<T> &o) {
  T alpha = o.scalars[0], beta = o.scalars[1];
  auto &C = o.arrays[0], &A = o.arrays[1], &B = o.arrays[2];
  for (int i = 0; i < C.extent(0); ++i)
    for (int j = 0; j < C.extent(1); ++j) {
      T above = 0;
      for (int k = 0; k < i; ++k) {
        C(k, j) += alpha * B(i, j) * A(i, k);
        above += B(k, j) * A(i, k);
      }
      C(i, j) = beta * C(i, j) + alpha * B(i, j) * A(i, i) + alpha * above;
    }
}

template <typename T> void syrk(Operands<T> &o) {
  auto &C = o.arrays[0], &A = o.arrays[1];
  for (int i = 0; i < C.extent(0); ++i)
    for (int j = 0; j <= i; ++j) {
      C(i, j) *= o.scalars[1];
      for (int k = 0; k < A.extent(1); ++k)
        C(i, j) += o.scalars[0] * A(i, k) * A(j, k);
    }
}

template <typename T> void syr2k(Operands<T> &o) {
  T alpha = o.scalars[0];
  auto &C = o.arrays[0], &A = o.arrays[1], &B = o.arrays[2];
  for (int i = 0; i < C.extent(0); ++i)
    for (int j = 0; j <= i; ++j) {
      C(i, j) *= o.scalars[1];
      for (int k = 0; k < A.extent(1); ++k)
        C(i, j) += A(j, k) * alpha * B(i, k) + B(j, k) * alpha * A(i, k);
    }
}

template <typename T> void trmm(Operands<T> &o) {
  auto &A = o.arrays[0], &B = o.arrays[1];
  for (int j = 0; j < B.extent(1); ++j)
    for (int i = 0; i < B.extent(0); ++i) {
      for (int k = i + 1; k < B.extent(0); ++k)
        B(i, j) += A(k, i) * B(k, j);
      B(i, j) *= o.scalars[0];
    }
}

template <typename T> void trisolv(Operands<T> &o) {
  auto &L = o.arrays[0], &x = o.arrays[1], &b = o.arrays[2];
  for (int i = 0; i < L.extent(0); ++i) {
    x(i) = b(i);
    for (int j = 0; j < i; ++j)
      x(i) -= L(i, j) * x(j);
    x(i) /= L(i, i);
  }
}

} // namespace spindle::polybench
