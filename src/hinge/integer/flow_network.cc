#include "hinge/integer/flow_network.h"

#include <algorithm>
#include <cmath>

namespace sorites {
namespace {

// Finds the nodes of a part, directs them, and makes arcs of its variables.
class Recogniser {
 public:
  explicit Recogniser(const BinaryPart& part)
      : part_(part), node_of_(part.rows.size(), kNone), sign_(part.rows.size(), 0) {}

  std::optional<FlowNetwork> network() {
    if (!find_nodes() || !variables_have_two_ends() || !find_signs()) return std::nullopt;
    add_demands();
    add_arcs();
    add_neighbours();
    return std::move(network_);
  }

 private:
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};

  bool is_node(std::uint32_t row) const { return node_of_[row] != kNone; }

  // Coefficients of 1 and -1, and an inflow that so many of them can make.
  bool can_be_node(const BinaryRow& row) const {
    const auto entries = part_.entries_of(row);
    return row.offset == std::round(row.offset) &&
           std::abs(row.offset) <= static_cast<double>(entries.size()) &&
           std::all_of(entries.begin(), entries.end(), [](const RowEntry& entry) {
             return std::abs(entry.coefficient) == 1.0;
           });
  }

  bool find_nodes() {
    for (std::uint32_t r = 0; r < part_.rows.size(); ++r) {
      const BinaryRow& row = part_.rows[r];
      if (!row.is_hard() || (row.is_equality && !can_be_node(row))) return false;
      if (row.is_equality) {
        node_of_[r] = num_nodes_++;
      } else {
        network_.side.push_back(r);
      }
    }
    return num_nodes_ > 0;
  }

  bool variables_have_two_ends() const {
    for (std::uint32_t i = 0; i < part_.num_variables(); ++i) {
      const auto column = part_.column_of(i);
      const auto ends = std::count_if(column.begin(), column.end(), [&](const ColumnEntry& entry) {
        return is_node(entry.row);
      });
      if (ends > 2) return false;
    }
    return true;
  }

  // The sign with which every row is to be taken so that a variable enters one of its two rows and
  // leaves the other. False: there is none.
  bool find_signs() {
    std::vector<std::uint32_t> open;
    for (std::uint32_t first = 0; first < sign_.size(); ++first) {
      if (!is_node(first) || sign_[first] != 0) continue;
      sign_[first] = 1;
      open = {first};
      while (!open.empty()) {
        const std::uint32_t row = open.back();
        open.pop_back();
        if (!sign_neighbours(row, open)) return false;
      }
    }
    return true;
  }

  // Those that had no sign yet are put into `open`.
  bool sign_neighbours(std::uint32_t row, std::vector<std::uint32_t>& open) {
    for (const auto& [i, a] : part_.entries_of(part_.rows[row])) {
      for (const auto& [other, b] : part_.column_of(i)) {
        if (other == row || !is_node(other)) continue;
        const int needed = (a > 0.0) == (b > 0.0) ? -sign_[row] : sign_[row];
        if (sign_[other] == -needed) return false;
        if (sign_[other] == 0) open.push_back(other);
        sign_[other] = needed;
      }
    }
    return true;
  }

  // The last node stands for what is outside: the other end of arcs that have only one.
  void add_demands() {
    network_.demand.assign(num_nodes_ + 1, 0);
    for (std::uint32_t r = 0; r < part_.rows.size(); ++r) {
      if (!is_node(r)) continue;
      const int demand = -sign_[r] * static_cast<int>(part_.rows[r].offset);
      network_.demand[node_of_[r]] = demand;
      network_.demand[num_nodes_] -= demand;
    }
  }

  void add_arcs() {
    network_.arcs.assign(part_.num_variables(), {num_nodes_, num_nodes_});
    for (std::uint32_t i = 0; i < part_.num_variables(); ++i) {
      FlowArc& arc = network_.arcs[i];
      for (const auto& [r, a] : part_.column_of(i)) {
        if (is_node(r)) ((a > 0.0) == (sign_[r] > 0) ? arc.head : arc.tail) = node_of_[r];
      }
    }
  }

  void add_neighbours() {
    std::vector<std::uint32_t>& begin = network_.begin;
    begin.assign(network_.num_nodes() + 1, 0);
    for (const FlowArc& arc : network_.arcs) {
      if (arc.tail == arc.head) continue;
      ++begin[arc.tail + 1];
      ++begin[arc.head + 1];
    }
    for (std::size_t v = 0; v < network_.num_nodes(); ++v) begin[v + 1] += begin[v];
    network_.around.resize(begin.back());
    std::vector<std::uint32_t> next(begin.begin(), begin.end() - 1);
    for (std::uint32_t i = 0; i < network_.arcs.size(); ++i) {
      const FlowArc& arc = network_.arcs[i];
      if (arc.tail == arc.head) continue;
      network_.around[next[arc.tail]++] = i;
      network_.around[next[arc.head]++] = i;
    }
  }

  const BinaryPart& part_;
  FlowNetwork network_;
  std::uint32_t num_nodes_ = 0;         // without the outside
  std::vector<std::uint32_t> node_of_;  // per row
  std::vector<int> sign_;               // per row; 0: none yet
};

}  // namespace

std::optional<FlowNetwork> flow_network_of(const BinaryPart& part) {
  return Recogniser(part).network();
}

}  // namespace sorites
