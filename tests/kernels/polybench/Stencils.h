// Differential equations on grids, filters, and dynamic programming.
#pragma once

#include "tests/kernels/polybench/Reference.h"

#include <algorithm>
#include <cmath>

namespace spindle::polybench {

template <typename T> void jacobi1d(Operands<T> &o) {
  auto smooth = [](Array<T> &from, Array<T> &to) {
    for (int i = 1; i + 1 < from.extent(0); ++i)
      to(i) = T(0.33333) * (from(i - 1) + from(i) + from(i + 1));
  };
  for (int t = 0; t < o.steps; ++t) {
    smooth(o.arrays[0], o.arrays[1]);
    smooth(o.arrays[1], o.arrays[0]);
  }
}

template <typename T> void jacobi2d(Operands<T> &o) {
  auto smooth = [](Array<T> &a, Array<T> &to) {
    for (int i = 1; i + 1 < a.extent(0); ++i)
      for (int j = 1; j + 1 < a.extent(1); ++j)
        to(i, j) = T(0.2) * (a(i, j) + a(i, j - 1) + a(i, j + 1) + a(i + 1, j) + a(i - 1, j));
  };
  for (int t = 0; t < o.steps; ++t) {
    smooth(o.arrays[0], o.arrays[1]);
    smooth(o.arrays[1], o.arrays[0]);
  }
}

template <typename T> void heat3d(Operands<T> &o) {
  auto flow = [](Array<T> &a, Array<T> &to) {
    int n = a.extent(0);
    for (int i = 1; i + 1 < n; ++i)
      for (int j = 1; j + 1 < n; ++j)
        for (int k = 1; k + 1 < n; ++k) {
          auto second = [&](T after, T before) {
            return T(0.125) * (after - T(2) * a(i, j, k) + before);
          };
          to(i, j, k) = second(a(i + 1, j, k), a(i - 1, j, k)) +
                        second(a(i, j + 1, k), a(i, j - 1, k)) +
                        second(a(i, j, k + 1), a(i, j, k - 1)) + a(i, j, k);
        }
  };
  for (int t = 0; t < o.steps; ++t) {
    flow(o.arrays[0], o.arrays[1]);
    flow(o.arrays[1], o.arrays[0]);
  }
}

template <typename T> void seidel2d(Operands<T> &o) {
  auto &A = o.arrays[0];
  for (int t = 0; t < o.steps; ++t)
    for (int i = 1; i + 1 < A.extent(0); ++i)
      for (int j = 1; j + 1 < A.extent(1); ++j) {
        T sum = A(i - 1, j - 1);
        for (int n = 1; n < 9; ++n)
          sum += A(i - 1 + n / 3, j - 1 + n % 3);
        A(i, j) = sum / T(9);
      }
}

template <typename T> void fdtd2d(Operands<T> &o) {
  auto &ex = o.arrays[0], &ey = o.arrays[1], &hz = o.arrays[2], &fict = o.arrays[3];
  int rows = ex.extent(0), columns = ex.extent(1);
  for (int t = 0; t < fict.extent(0); ++t) {
    for (int j = 0; j < columns; ++j)
      ey(0, j) = fict(t);
    for (int i = 0; i < rows; ++i)
      for (int j = 0; j < columns; ++j) {
        if (i > 0)
          ey(i, j) -= T(0.5) * (hz(i, j) - hz(i - 1, j));
        if (j > 0)
          ex(i, j) -= T(0.5) * (hz(i, j) - hz(i, j - 1));
      }
    for (int i = 0; i + 1 < rows; ++i)
      for (int j = 0; j + 1 < columns; ++j)
        hz(i, j) -= T(0.7) * (ex(i, j + 1) - ex(i, j) + ey(i + 1, j) - ey(i, j));
  }
}

/// One half step: tridiagonal systems with off-diagonal `off` and diagonal `diagonal`; `edge` is
/// the off-diagonal of the other direction. Reads and writes through functions of (line, place).
template <typename T, typename Read, typename Write>
void halfStep(int n, T off, T diagonal, T edge, Read from, Write to, Array<T> &p, Array<T> &q) {
  for (int i = 1; i < n - 1; ++i) {
    to(i, 0) = 1;
    p(i, 0) = 0;
    q(i, 0) = to(i, 0);
    for (int j = 1; j < n - 1; ++j) {
      p(i, j) = -off / (off * p(i, j - 1) + diagonal);
      q(i, j) = (-edge * from(i - 1, j) + (T(1) + T(2) * edge) * from(i, j) -
                 edge * from(i + 1, j) - off * q(i, j - 1)) /
                (off * p(i, j - 1) + diagonal);
    }
    to(i, n - 1) = 1;
    for (int j = n - 2; j >= 1; --j)
      to(i, j) = p(i, j) * to(i, j + 1) + q(i, j);
  }
}

template <typename T> void adi(Operands<T> &o) {
  auto &u = o.arrays[0], &v = o.arrays[1], &p = o.arrays[2], &q = o.arrays[3];
  int n = u.extent(0);
  T dx = T(1) / T(n), dt = T(1) / T(o.steps);
  T mul1 = T(2) * dt / (dx * dx), mul2 = T(1) * dt / (dx * dx);
  T a = -mul1 / T(2), b = T(1) + mul1, d = -mul2 / T(2), e = T(1) + mul2;
  auto plain = [](Array<T> &array) {
    return [&array](int i, int j) -> T & { return array(i, j); };
  };
  auto turned = [](Array<T> &array) {
    return [&array](int i, int j) -> T & { return array(j, i); };
  };
  for (int t = 0; t < o.steps; ++t) {
    halfStep(n, a, b, d, turned(u), turned(v), p, q);
    halfStep(n, d, e, a, plain(v), plain(u), p, q);
  }
}

/// One direction of the recursive filter: there with the present input, back without.
template <typename T, typename Read, typename Write>
void filter(int lines, int length, T here, T before, T b1, T b2, bool isBack, Read in, Write out) {
  for (int line = 0; line < lines; ++line) {
    T x1 = 0, x2 = 0, y1 = 0, y2 = 0;
    for (int n = 0; n < length; ++n) {
      int place = isBack ? length - 1 - n : n;
      T x = in(line, place);
      T y = isBack ? here * x1 + before * x2 + b1 * y1 + b2 * y2
                   : here * x + before * x1 + b1 * y1 + b2 * y2;
      out(line, place) = y;
      x2 = x1;
      x1 = x;
      y2 = y1;
      y1 = y;
    }
  }
}

template <typename T> void deriche(Operands<T> &o) {
  T alpha = o.scalars[0], e = std::exp(-alpha);
  auto &in = o.arrays[0], &out = o.arrays[1], &y1 = o.arrays[2], &y2 = o.arrays[3];
  T k = (1 - e) * (1 - e) / (1 + 2 * alpha * e - std::exp(2 * alpha));
  T a2 = k * e * (alpha - 1), a3 = k * e * (alpha + 1), a4 = -k * std::exp(-2 * alpha);
  T b1 = std::pow(T(2), -alpha), b2 = -std::exp(-2 * alpha);
  int w = in.extent(0), h = in.extent(1);
  auto rows = [](Array<T> &array) { return [&array](int i, int j) -> T & { return array(i, j); }; };
  auto columns = [](Array<T> &array) {
    return [&array](int i, int j) -> T & { return array(j, i); };
  };
  auto add = [&] {
    for (size_t n = 0; n < out.data.size(); ++n)
      out.data[n] = y1.data[n] + y2.data[n];
  };
  filter(w, h, k, a2, b1, b2, false, rows(in), rows(y1));
  filter(w, h, a3, a4, b1, b2, true, rows(in), rows(y2));
  add();
  filter(h, w, k, a2, b1, b2, false, columns(out), columns(y1));
  filter(h, w, a3, a4, b1, b2, true, columns(out), columns(y2));
  add();
}

template <typename T> void floydWarshall(Operands<T> &o) {
  auto &path = o.arrays[0];
  int n = path.extent(0);
  for (int k = 0; k < n; ++k)
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < n; ++j) {
        T detour = path(i, k) + path(k, j);
        path(i, j) = path(i, j) < detour ? path(i, j) : detour;
      }
}

/// The bases come as numbers of type T.
template <typename T> void nussinov(Operands<T> &o) {
  auto &seq = o.arrays[0], &table = o.arrays[1];
  int n = seq.extent(0);
  for (int i = n - 1; i >= 0; --i)
    for (int j = i + 1; j < n; ++j) {
      T pair = i < j - 1 && seq(i) + seq(j) == 3 ? 1 : 0;
      T best = std::max({table(i, j), table(i, j - 1), table(i + 1, j)});
      best = std::max(best, table(i + 1, j - 1) + pair);
      for (int k = i + 1; k < j; ++k)
        best = std::max(best, table(i, k) + table(k + 1, j));
      table(i, j) = best;
    }
}

} // namespace spindle::polybench
