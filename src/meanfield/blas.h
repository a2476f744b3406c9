// The few functions of BLAS that are used, for matrices row by row.
#pragma once

#include <cstddef>

#include "meanfield/scaling.h"

namespace sorites {

// A matrix whose rows are contiguous and `stride` elements apart, or the transpose of one.
template <class Real>
struct MatrixView {
  const Real* data = nullptr;
  std::size_t stride = 0;
  bool transposed = false;
};

// The result of a product, its rows `stride` elements apart.
template <class Real>
struct ResultMatrix {
  Real* data = nullptr;
  std::size_t stride = 0;
};

struct ProductSizes {
  std::size_t m = 0, n = 0, k = 0;
};

// out[m x n] = alpha a[m x k] b[k x n], or out += that.
void gemm(ProductSizes sizes,
          MatrixView<float> a,
          MatrixView<float> b,
          ResultMatrix<float> out,
          Scaling<float> scaling);
void gemm(ProductSizes sizes,
          MatrixView<double> a,
          MatrixView<double> b,
          ResultMatrix<double> out,
          Scaling<double> scaling);

// out[m x m] = alpha a[m x k] a', of which only the lower triangle is written.
void syrk(std::size_t m, std::size_t k, MatrixView<float> a, ResultMatrix<float> out, float alpha);
void syrk(
    std::size_t m, std::size_t k, MatrixView<double> a, ResultMatrix<double> out, double alpha);

// While one is alive, calls of BLAS stay on the thread that calls, if the library is OpenBLAS: work
// is split among the threads of our pool, and a second team of threads would compete with them for
// the cores. The number of threads is one number for the whole process, which others (networks)
// also use, hence it is set back when the last one ends.
class SingleThreadedBlas {
 public:
  SingleThreadedBlas();
  ~SingleThreadedBlas();
  SingleThreadedBlas(const SingleThreadedBlas&) = delete;
  SingleThreadedBlas& operator=(const SingleThreadedBlas&) = delete;
};

}  // namespace sorites
