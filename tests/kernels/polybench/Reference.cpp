#include "tests/kernels/polybench/Reference.h"

#include "tests/kernels/polybench/LinearAlgebra.h"
#include "tests/kernels/polybench/Solvers.h"
#include "tests/kernels/polybench/Stencils.h"

namespace spindle::polybench {

template <typename T> static std::map<std::string, Kernel<T>> anyKernels() {
  return {{"2mm", twoProducts<T>}, {"3mm", threeProducts<T>}, {"atax", atax<T>},
          {"bicg", bicg<T>},       {"doitgen", doitgen<T>},   {"floyd-warshall", floydWarshall<T>},
          {"gemm", gemm<T>},       {"gemver", gemver<T>},     {"gesummv", gesummv<T>},
          {"mvt", mvt<T>},         {"nussinov", nussinov<T>}, {"seidel-2d", seidel2d<T>},
          {"symm", symm<T>},       {"syr2k", syr2k<T>},       {"syrk", syrk<T>},
          {"trisolv", trisolv<T>}, {"trmm", trmm<T>}};
}

template <typename T> static std::map<std::string, Kernel<T>> realKernels() {
  std::map<std::string, Kernel<T>> kernels = anyKernels<T>();
  kernels.insert({{"adi", adi<T>},
                  {"cholesky", cholesky<T>},
                  {"correlation", correlation<T>},
                  {"covariance", covariance<T>},
                  {"deriche", deriche<T>},
                  {"durbin", durbin<T>},
                  {"fdtd-2d", fdtd2d<T>},
                  {"gramschmidt", gramschmidt<T>},
                  {"heat-3d", heat3d<T>},
                  {"jacobi-1d", jacobi1d<T>},
                  {"jacobi-2d", jacobi2d<T>},
                  {"lu", lu<T>},
                  {"ludcmp", ludcmp<T>}});
  return kernels;
}

std::map<std::string, Kernel<double>> doubleKernels() { return realKernels<double>(); }
std::map<std::string, Kernel<float>> floatKernels() { return realKernels<float>(); }
std::map<std::string, Kernel<int>> integerKernels() { return anyKernels<int>(); }

} // namespace spindle::polybench
