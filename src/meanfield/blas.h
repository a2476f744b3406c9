// The few functions of BLAS that are used, for matrices row by row.
#pragma once

#include <cstddef>

namespace sorites {

// A matrix whose rows are contiguous and `stride` elements apart, or the transpose of one.
template <class Real>
struct MatrixView {
  const Real* data = nullptr;
  std::size_t stride = 0;
  bool transposed = false;
};

// out[m x n] = alpha a[m x k] b[k x n] + beta out, the rows of out `out_stride` elements apart.
void gemm(std::size_t m,
          std::size_t n,
          std::size_t k,
          float alpha,
          MatrixView<float> a,
          MatrixView<float> b,
          float beta,
          float* out,
          std::size_t out_stride);
void gemm(std::size_t m,
          std::size_t n,
          std::size_t k,
          double alpha,
          MatrixView<double> a,
          MatrixView<double> b,
          double beta,
          double* out,
          std::size_t out_stride);

// out[m x m] = alpha a[m x k] a' + beta out, of which only the lower triangle is read and written.
void syrk(std::size_t m,
          std::size_t k,
          float alpha,
          MatrixView<float> a,
          float beta,
          float* out,
          std::size_t out_stride);
void syrk(std::size_t m,
          std::size_t k,
          double alpha,
          MatrixView<double> a,
          double beta,
          double* out,
          std::size_t out_stride);

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
