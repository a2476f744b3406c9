#include "meanfield/linear_sum.h"

#include <algorithm>

#include "meanfield/add_rows.h"
#include "meanfield/buffer.h"
#include "meanfield/transpose.h"

namespace sorites {
namespace {

constexpr std::size_t kChunk = 2048;         // elements that stay in the first cache
constexpr std::size_t kTaskWork = 1U << 15;  // elements worth waking a thread for
// A tile of terms that lie across: long rows, since memory is fastest in a row.
constexpr std::size_t kTileRows = kFloatsPerLine, kTileColumns = 512;

// Whether axis `outer` and the next are one axis of all terms.
bool continues(const std::vector<TermViews>& terms, std::size_t outer, std::size_t inner_size) {
  const auto size = static_cast<std::ptrdiff_t>(inner_size);
  for (const TermViews& term : terms) {
    for (const View& view : term) {
      if (view.strides[outer] != view.strides[outer + 1] * size) return false;
    }
  }
  return true;
}

template <class Work>
void for_views(SumPlan& plan, const Work& work) {
  for (TermViews& term : plan.terms) std::for_each(term.begin(), term.end(), work);
}

void erase_axis(SumPlan& plan, std::size_t axis) {
  const auto at = static_cast<std::ptrdiff_t>(axis);
  plan.sizes.erase(plan.sizes.begin() + at);
  for_views(plan, [at](View& view) { view.strides.erase(view.strides.begin() + at); });
}

// All elements, if all terms are as the result is.
template <class Real>
void add_plain(std::span<const ScaledTensor<Real>> tensors,
               Real offset,
               Real* out,
               Part part,
               bool accumulate) {
  std::vector<ScaledRow<Real>> rows(tensors.size());
  for (std::size_t at = part.begin; at < part.end; at += kChunk) {
    const std::size_t size = std::min(kChunk, part.end - at);
    rows.clear();
    for (const auto& [factor, data, times] : tensors) {
      if (data != nullptr && times == nullptr) rows.push_back({factor, data + at});
    }
    add_rows<Real>(rows, offset, out + at, size, accumulate);
    for (const auto& [factor, data, times] : tensors) {
      if (data == nullptr || times == nullptr) continue;
      add_product_of_rows(factor, data + at, times + at, out + at, size);
    }
  }
}

// Rows of the result, by tiles in which tensors that lie across them are transposed.
template <class Real>
class TileSum {
 public:
  TileSum(const SumPlan& plan,
          std::span<const ScaledTensor<Real>> tensors,
          Real offset,
          bool accumulate)
      : plan_(plan), offset_(offset), accumulate_(accumulate) {
    for (std::size_t i = 0; i < tensors.size(); ++i) {
      const auto& [factor, data, times] = tensors[i];
      if (data == nullptr) continue;
      terms_.push_back({factor, {plan.terms[i][0], data}, {}});
      if (times != nullptr) terms_.back().times = {plan.terms[i][1], times};
    }
  }

  void run(Part rows, Real* out) {
    const std::size_t last = plan_.sizes.size() - 1;
    const std::size_t columns = plan_.sizes[last], period = plan_.sizes[last - 1];
    for (std::size_t row = rows.begin; row < rows.end;) {
      const std::size_t count = std::min({kTileRows, rows.end - row, period - row % period});
      for (Term& term : terms_) {
        set_start(term.data, row);
        set_start(term.times, row);
      }
      for (std::size_t column = 0; column < columns; column += kTileColumns) {
        const std::size_t size = std::min(kTileColumns, columns - column);
        run_tile(column, count, size, out + row * columns + column);
      }
      row += count;
    }
  }

 private:
  struct Operand {
    View view;
    const Real* data = nullptr;  // null: the number one
    std::ptrdiff_t start = 0;    // in the first column of a row
    std::vector<Real> copy;
    // In a tile; the stride of columns is 0 or 1.
    const Real* tile = nullptr;
    std::ptrdiff_t row = 0, column = 0;
  };
  struct Term {
    Real factor;
    Operand data, times;
  };

  void set_start(Operand& operand, std::size_t row) const {
    if (operand.data == nullptr) return;
    operand.start = operand.view.start;
    for (std::size_t i = plan_.sizes.size() - 1; i-- > 0;) {
      operand.start += static_cast<std::ptrdiff_t>(row % plan_.sizes[i]) * operand.view.strides[i];
      row /= plan_.sizes[i];
    }
  }

  void set_tile(Operand& operand, std::size_t column, std::size_t rows, std::size_t columns) const {
    if (operand.data == nullptr) return;
    const std::size_t last = plan_.sizes.size() - 1;
    const std::ptrdiff_t across = operand.view.strides[last - 1];
    const std::ptrdiff_t along = operand.view.strides[last];
    const Real* data = operand.data + operand.start + static_cast<std::ptrdiff_t>(column) * along;
    operand.tile = data;
    operand.row = across;
    operand.column = along;
    if (along == 0 || along == 1) return;
    operand.copy.resize(kTileRows * kTileColumns);
    Real* copy = operand.copy.data();
    if (across == 1) {
      transpose(data, static_cast<std::size_t>(along), copy, kTileColumns, columns, rows);
    } else {
      for (std::size_t i = 0; i < rows * kTileColumns; ++i) {
        const auto k = static_cast<std::ptrdiff_t>(i / kTileColumns);
        const auto l = static_cast<std::ptrdiff_t>(std::min(i % kTileColumns, columns - 1));
        copy[i] = data[k * across + l * along];
      }
    }
    operand.tile = copy;
    operand.row = kTileColumns;
    operand.column = 1;
  }

  void run_tile(std::size_t column, std::size_t rows, std::size_t columns, Real* out) {
    for (Term& term : terms_) {
      set_tile(term.data, column, rows, columns);
      set_tile(term.times, column, rows, columns);
    }
    for (std::size_t k = 0; k < rows; ++k) run_row(k, columns, out + k * plan_.sizes.back());
  }

  // A factor that is the same in all columns scales the row of the other.
  void run_row(std::size_t k, std::size_t columns, Real* out) {
    const auto start_of = [k](const Operand& operand) {
      return operand.tile + static_cast<std::ptrdiff_t>(k) * operand.row;
    };
    Real offset = offset_;
    rows_.clear();
    bool has_products = false;
    for (const Term& term : terms_) {
      const Real* data = start_of(term.data);
      const bool varies = term.data.column == 1;
      if (term.times.data == nullptr) {
        if (varies) rows_.push_back({term.factor, data});
        if (!varies) offset += term.factor * *data;
        continue;
      }
      const Real* times = start_of(term.times);
      if (varies && term.times.column == 1) {
        has_products = true;
      } else if (varies) {
        rows_.push_back({term.factor * *times, data});
      } else if (term.times.column == 1) {
        rows_.push_back({term.factor * *data, times});
      } else {
        offset += term.factor * *data * *times;
      }
    }
    add_rows<Real>(rows_, offset, out, columns, accumulate_);
    for (const Term& term : terms_) {
      if (!has_products) break;
      if (term.times.data == nullptr || term.data.column + term.times.column != 2) continue;
      add_product_of_rows(term.factor, start_of(term.data), start_of(term.times), out, columns);
    }
  }

  const SumPlan& plan_;
  Real offset_;
  bool accumulate_;
  std::vector<Term> terms_;
  std::vector<ScaledRow<Real>> rows_;
};

}  // namespace

SumPlan plan_sum(std::span<const std::uint32_t> shape, std::vector<TermViews> terms) {
  SumPlan plan{{shape.begin(), shape.end()}, std::move(terms)};
  for (std::size_t i = plan.sizes.size(); i-- > 0;) {
    if (plan.sizes[i] == 1) {
      erase_axis(plan, i);
    } else if (i + 1 < plan.sizes.size() && continues(plan.terms, i, plan.sizes[i + 1])) {
      plan.sizes[i + 1] *= plan.sizes[i];
      erase_axis(plan, i);
    }
  }
  for_views(plan, [&plan](const View& view) {
    if (view.start != 0 || plan.sizes.size() > 1) plan.plain = false;
    if (plan.sizes.size() == 1 && view.strides[0] != 1) plan.plain = false;
  });
  while (plan.sizes.size() < 2) {  // tiles have two axes
    plan.sizes.insert(plan.sizes.begin(), 1);
    for_views(plan, [](View& view) { view.strides.insert(view.strides.begin(), 0); });
  }
  return plan;
}

template <class Real>
void run_sum(const SumPlan& plan,
             std::span<const ScaledTensor<Real>> tensors,
             Real offset,
             Real* out,
             ThreadPool& pool,
             bool accumulate) {
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
      add_plain(tensors, offset, out, part, accumulate);
    } else {
      TileSum<Real>(plan, tensors, offset, accumulate).run(part, out);
    }
  });
}

template void run_sum(
    const SumPlan&, std::span<const ScaledTensor<float>>, float, float*, ThreadPool&, bool);
template void run_sum(
    const SumPlan&, std::span<const ScaledTensor<double>>, double, double*, ThreadPool&, bool);

}  // namespace sorites
