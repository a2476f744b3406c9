#include "meanfield/blas.h"

#include <mutex>

// The Fortran interface, since all libraries have it and none needs a header for it. Matrices are
// column by column, so that each of ours is the transpose of what BLAS sees.
extern "C" {
void sgemm_(const char*,
            const char*,
            const int*,
            const int*,
            const int*,
            const float*,
            const float*,
            const int*,
            const float*,
            const int*,
            const float*,
            float*,
            const int*);
void dgemm_(const char*,
            const char*,
            const int*,
            const int*,
            const int*,
            const double*,
            const double*,
            const int*,
            const double*,
            const int*,
            const double*,
            double*,
            const int*);
void ssyrk_(const char*,
            const char*,
            const int*,
            const int*,
            const float*,
            const float*,
            const int*,
            const float*,
            float*,
            const int*);
void dsyrk_(const char*,
            const char*,
            const int*,
            const int*,
            const double*,
            const double*,
            const int*,
            const double*,
            double*,
            const int*);
// Of OpenBLAS; null with other libraries.
[[gnu::weak]] void openblas_set_num_threads(int);
[[gnu::weak]] int openblas_get_num_threads();
}

namespace sorites {
namespace {

// Sizes of axes are below 2^32, but matrices of more than 2^31 rows do not fit any memory.
int to_int(std::size_t size) { return static_cast<int>(size); }

template <class Real, class Function>
void call_gemm(Function function,
               std::size_t m,
               std::size_t n,
               std::size_t k,
               Real alpha,
               MatrixView<Real> a,
               MatrixView<Real> b,
               Real beta,
               Real* out,
               std::size_t out_stride) {
  // out' = b' a'
  const int rows = to_int(n), columns = to_int(m), summed = to_int(k);
  const int a_stride = to_int(a.stride), b_stride = to_int(b.stride), stride = to_int(out_stride);
  function(b.transposed ? "T" : "N",
           a.transposed ? "T" : "N",
           &rows,
           &columns,
           &summed,
           &alpha,
           b.data,
           &b_stride,
           a.data,
           &a_stride,
           &beta,
           out,
           &stride);
}

template <class Real, class Function>
void call_syrk(Function function,
               std::size_t m,
               std::size_t k,
               Real alpha,
               MatrixView<Real> a,
               Real beta,
               Real* out,
               std::size_t out_stride) {
  const int rows = to_int(m), summed = to_int(k);
  const int a_stride = to_int(a.stride), stride = to_int(out_stride);
  // Our lower triangle is the upper one of BLAS, our `a` is its a'.
  function("U",
           a.transposed ? "N" : "T",
           &rows,
           &summed,
           &alpha,
           a.data,
           &a_stride,
           &beta,
           out,
           &stride);
}

struct ThreadSetting {
  std::mutex mutex;
  int users = 0;
  int before = 0;
};

ThreadSetting& thread_setting() {
  static ThreadSetting setting;
  return setting;
}

}  // namespace

void gemm(std::size_t m,
          std::size_t n,
          std::size_t k,
          float alpha,
          MatrixView<float> a,
          MatrixView<float> b,
          float beta,
          float* out,
          std::size_t out_stride) {
  call_gemm(sgemm_, m, n, k, alpha, a, b, beta, out, out_stride);
}

void gemm(std::size_t m,
          std::size_t n,
          std::size_t k,
          double alpha,
          MatrixView<double> a,
          MatrixView<double> b,
          double beta,
          double* out,
          std::size_t out_stride) {
  call_gemm(dgemm_, m, n, k, alpha, a, b, beta, out, out_stride);
}

void syrk(std::size_t m,
          std::size_t k,
          float alpha,
          MatrixView<float> a,
          float beta,
          float* out,
          std::size_t out_stride) {
  call_syrk(ssyrk_, m, k, alpha, a, beta, out, out_stride);
}

void syrk(std::size_t m,
          std::size_t k,
          double alpha,
          MatrixView<double> a,
          double beta,
          double* out,
          std::size_t out_stride) {
  call_syrk(dsyrk_, m, k, alpha, a, beta, out, out_stride);
}

SingleThreadedBlas::SingleThreadedBlas() {
  if (openblas_set_num_threads == nullptr || openblas_get_num_threads == nullptr) return;
  ThreadSetting& setting = thread_setting();
  const std::lock_guard lock(setting.mutex);
  if (setting.users++ > 0) return;
  setting.before = openblas_get_num_threads();
  if (setting.before != 1) openblas_set_num_threads(1);
}

SingleThreadedBlas::~SingleThreadedBlas() {
  if (openblas_set_num_threads == nullptr || openblas_get_num_threads == nullptr) return;
  ThreadSetting& setting = thread_setting();
  const std::lock_guard lock(setting.mutex);
  if (--setting.users > 0) return;
  if (setting.before != 1) openblas_set_num_threads(setting.before);
}

}  // namespace sorites
