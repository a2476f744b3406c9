#include "meanfield/linear_sum.h"

#include <algorithm>

#include "meanfield/add_rows.h"
#include "meanfield/transpose.h"

namespace sorites {
namespace {

constexpr std::size_t kChunk = 2048;         // elements that stay in the first cache
constexpr std::size_t kTaskWork = 1U << 15;  // elements worth waking a thread for
// A tile of terms that lie across: long rows, since memory is fastest in a row.
constexpr std::size_t kTileRows = 16, kTileColumns = 512;

// Whether axis `outer` and the next are one axis of all terms.
bool continues(const std::vector<View>& terms, std::size_t outer, std::size_t inner_size) {
  return std::all_of(terms.begin(), terms.end(), [&](const View& view) {
    const auto size = static_cast<std::ptrdiff_t>(inner_size);
    return view.strides[outer] == view.strides[outer + 1] * size;
  });
}

void erase_axis(SumPlan& plan, std::size_t axis) {
  const auto at = static_cast<std::ptrdiff_t>(axis);
  plan.sizes.erase(plan.sizes.begin() + at);
  for (View& view : plan.terms) view.strides.erase(view.strides.begin() + at);
}

// All elements, if all terms are as the result is.
template <class Real>
void add_plain(std::span<const ScaledTensor<Real>> tensors, Real offset, Real* out, Part part) {
  std::vector<ScaledRow<Real>> rows(tensors.size());
  for (std::size_t at = part.begin; at < part.end; at += kChunk) {
    rows.clear();
    for (const auto& [factor, data] : tensors) {
      if (data != nullptr) rows.push_back({factor, data + at});
    }
    add_rows<Real>(rows, offset, out + at, std::min(kChunk, part.end - at));
  }
}

// Rows of the result, by tiles in which terms that lie across them are transposed.
template <class Real>
class TileSum {
 public:
  TileSum(const SumPlan& plan, std::span<const ScaledTensor<Real>> tensors, Real offset)
      : plan_(plan), tensors_(tensors), offset_(offset), copies_(tensors.size()) {}

  void run(Part rows, Real* out) {
    const std::size_t last = plan_.sizes.size() - 1;
    const std::size_t columns = plan_.sizes[last], period = plan_.sizes[last - 1];
    for (std::size_t row = rows.begin; row < rows.end;) {
      const std::size_t count = std::min({kTileRows, rows.end - row, period - row % period});
      set_starts(row);
      for (std::size_t column = 0; column < columns; column += kTileColumns) {
        const std::size_t size = std::min(kTileColumns, columns - column);
        run_tile(column, count, size, out + row * columns + column);
      }
      row += count;
    }
  }

 private:
  struct TileTerm {
    Real factor;
    const Real* data;
    std::ptrdiff_t row, column;  // strides; that of columns is 0 or 1
  };

  // Where the terms are in the first column of a row.
  void set_starts(std::size_t row) {
    starts_.clear();
    for (const View& view : plan_.terms) {
      std::ptrdiff_t start = view.start;
      std::size_t index = row;
      for (std::size_t i = plan_.sizes.size() - 1; i-- > 0;) {
        start += static_cast<std::ptrdiff_t>(index % plan_.sizes[i]) * view.strides[i];
        index /= plan_.sizes[i];
      }
      starts_.push_back(start);
    }
  }

  TileTerm in_tile(std::size_t term, std::size_t column, std::size_t rows, std::size_t columns) {
    const View& view = plan_.terms[term];
    const std::size_t last = plan_.sizes.size() - 1;
    const std::ptrdiff_t across = view.strides[last - 1], along = view.strides[last];
    const auto& [factor, tensor] = tensors_[term];
    const Real* data = tensor + starts_[term] + static_cast<std::ptrdiff_t>(column) * along;
    if (along == 0 || along == 1) return {factor, data, across, along};
    copies_[term].resize(kTileRows * kTileColumns);
    Real* copy = copies_[term].data();
    if (across == 1) {
      transpose(data, static_cast<std::size_t>(along), copy, kTileColumns, columns, rows);
    } else {
      for (std::size_t i = 0; i < rows * kTileColumns; ++i) {
        const auto k = static_cast<std::ptrdiff_t>(i / kTileColumns);
        const auto l = static_cast<std::ptrdiff_t>(std::min(i % kTileColumns, columns - 1));
        copy[i] = data[k * across + l * along];
      }
    }
    return {factor, copy, kTileColumns, 1};
  }

  void run_tile(std::size_t column, std::size_t rows, std::size_t columns, Real* out) {
    terms_.clear();
    for (std::size_t term = 0; term < tensors_.size(); ++term) {
      if (tensors_[term].data == nullptr) continue;
      terms_.push_back(in_tile(term, column, rows, columns));
    }
    for (std::size_t k = 0; k < rows; ++k) {
      Real offset = offset_;
      rows_.clear();
      for (const TileTerm& term : terms_) {
        const Real* data = term.data + static_cast<std::ptrdiff_t>(k) * term.row;
        if (term.column == 1) {
          rows_.push_back({term.factor, data});
        } else {
          offset += term.factor * *data;
        }
      }
      add_rows<Real>(rows_, offset, out + k * plan_.sizes.back(), columns);
    }
  }

  const SumPlan& plan_;
  std::span<const ScaledTensor<Real>> tensors_;
  Real offset_;
  std::vector<std::vector<Real>> copies_;  // by term
  std::vector<std::ptrdiff_t> starts_;     // by term
  std::vector<TileTerm> terms_;
  std::vector<ScaledRow<Real>> rows_;
};

}  // namespace

SumPlan plan_sum(std::span<const std::uint32_t> shape, std::vector<View> terms) {
  SumPlan plan{{shape.begin(), shape.end()}, std::move(terms)};
  for (std::size_t i = plan.sizes.size(); i-- > 0;) {
    if (plan.sizes[i] == 1) {
      erase_axis(plan, i);
    } else if (i + 1 < plan.sizes.size() && continues(plan.terms, i, plan.sizes[i + 1])) {
      plan.sizes[i + 1] *= plan.sizes[i];
      erase_axis(plan, i);
    }
  }
  for (const View& view : plan.terms) {
    if (view.start != 0 || plan.sizes.size() > 1) plan.plain = false;
    if (plan.sizes.size() == 1 && view.strides[0] != 1) plan.plain = false;
  }
  while (plan.sizes.size() < 2) {  // tiles have two axes
    plan.sizes.insert(plan.sizes.begin(), 1);
    for (View& view : plan.terms) view.strides.insert(view.strides.begin(), 0);
  }
  return plan;
}

template <class Real>
void run_sum(const SumPlan& plan,
             std::span<const ScaledTensor<Real>> tensors,
             Real offset,
             Real* out,
             ThreadPool& pool) {
  std::size_t size = 1;
  for (const std::size_t axis : plan.sizes) size *= axis;
  if (size == 0) return;
  const std::size_t work = size * (tensors.size() + 1) / 2;
  const std::size_t items = plan.plain ? size : size / plan.sizes.back();
  const std::size_t tasks = std::clamp<std::size_t>(
      work / kTaskWork, 1, std::min(items, std::size_t{2} * pool.num_threads()));
  pool.for_each(tasks, [&](std::size_t task) {
    const Part part = part_of(items, tasks, task);
    if (plan.plain) {
      add_plain(tensors, offset, out, part);
    } else {
      TileSum<Real>(plan, tensors, offset).run(part, out);
    }
  });
}

template void run_sum(
    const SumPlan&, std::span<const ScaledTensor<float>>, float, float*, ThreadPool&);
template void run_sum(
    const SumPlan&, std::span<const ScaledTensor<double>>, double, double*, ThreadPool&);

}  // namespace sorites
