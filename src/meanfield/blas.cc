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

template <auto kFunction, class Real>
void call_gemm(ProductSizes sizes,
               MatrixView<Real> a,
               MatrixView<Real> b,
               ResultMatrix<Real> out,
               Scaling<Real> scaling) {
  // out' = b' a'
  const int rows = to_int(sizes.n), columns = to_int(sizes.m), summed = to_int(sizes.k);
  const int a_stride = to_int(a.stride), b_stride = to_int(b.stride), stride = to_int(out.stride);
  const Real beta = scaling.accumulate ? Real{1} : Real{0};
  kFunction(b.transposed ? "T" : "N",
            a.transposed ? "T" : "N",
            &rows,
            &columns,
            &summed,
            &scaling.alpha,
            b.data,
            &b_stride,
            a.data,
            &a_stride,
            &beta,
            out.data,
            &stride);
}

template <auto kFunction, class Real>
void call_syrk(
    std::size_t m, std::size_t k, MatrixView<Real> a, ResultMatrix<Real> out, Real alpha) {
  const int rows = to_int(m), summed = to_int(k);
  const int a_stride = to_int(a.stride), stride = to_int(out.stride);
  const Real beta = 0;
  // Our lower triangle is the upper one of BLAS, our `a` is its a'.
  kFunction("U",
            a.transposed ? "N" : "T",
            &rows,
            &summed,
            &alpha,
            a.data,
            &a_stride,
            &beta,
            out.data,
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

void gemm(ProductSizes sizes,
          MatrixView<float> a,
          MatrixView<float> b,
          ResultMatrix<float> out,
          Scaling<float> scaling) {
  call_gemm<sgemm_>(sizes, a, b, out, scaling);
}

void gemm(ProductSizes sizes,
          MatrixView<double> a,
          MatrixView<double> b,
          ResultMatrix<double> out,
          Scaling<double> scaling) {
  call_gemm<dgemm_>(sizes, a, b, out, scaling);
}

void syrk(std::size_t m, std::size_t k, MatrixView<float> a, ResultMatrix<float> out, float alpha) {
  call_syrk<ssyrk_>(m, k, a, out, alpha);
}

void syrk(
    std::size_t m, std::size_t k, MatrixView<double> a, ResultMatrix<double> out, double alpha) {
  call_syrk<dsyrk_>(m, k, a, out, alpha);
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
