#include "hinge/problem/component_problem.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "hinge/problem/row_loop.h"

namespace sorites {

// Of a product and of adding it: half a unit in the last place each.
constexpr double kRounding = std::numeric_limits<double>::epsilon();

namespace {

// Of a residual, its constant apart.
double reach_of(const RowBlock& block) {
  double reach = 0.0;
  for (const double a : block.coefficients) reach += std::abs(a);
  return reach;
}

// Sums over the rows, groups and variables of components.
class ComponentSums {
 public:
  ComponentSums(const Problem& problem,
                std::span<const std::uint32_t> component_of_variable,
                std::size_t num_components,
                const PrimalDual& point)
      : problem_(problem), of_(component_of_variable), point_(point), bounds_(num_components) {}

  // All of them: `gradient` is A'mu per variable, group multipliers included.
  std::vector<ComponentBounds> all(const std::vector<double>& gradient) && {
    const auto any = [](std::uint32_t) { return true; };
    const auto is_there = [](const RowBlock&, auto, const std::uint32_t*, double) {};
    add_rows(any, is_there);
    add_groups(any, [](std::uint32_t, double) {});
    add_variables(any, gradient);
    return std::move(bounds_);
  }

  // Those that are marked; the others are 0.
  std::vector<ComponentBounds> some(const std::vector<bool>& marked) && {
    const auto is_marked = [&](std::uint32_t component) { return marked[component]; };
    std::vector<double> gradient(problem_.num_variables, 0.0);
    add_rows(is_marked,
             [&](const RowBlock& block, auto width, const std::uint32_t* entry, double mu) {
               scatter(block, width, entry, mu, gradient.data());
             });
    add_groups(is_marked, [&](std::uint32_t variable, double mu) { gradient[variable] += mu; });
    add_variables(is_marked, gradient);
    return std::move(bounds_);
  }

 private:
  template <class IsWanted, class Scatter>
  void add_rows(const IsWanted& is_wanted, const Scatter& add_slope) {
    for_blocks(problem_,
               {0, problem_.num_rows()},
               [&](const RowBlock& block, auto width, std::size_t first, std::size_t last) {
                 const std::uint32_t* entry = problem_.variables_of(block, first).data();
                 if (block.width() == 0) return;
                 const double reach = reach_of(block);
                 for (std::size_t row = first; row < last; ++row, entry += width.value(block)) {
                   if (!is_wanted(of_[*entry])) continue;
                   const double b = problem_.offset[row], w = problem_.weight[row];
                   const double residual = b + dot(block, width, entry, point_.x.data());
                   const double mu = point_.multipliers[row];
                   ComponentBounds& own = bounds_[of_[*entry]];
                   own.objective += potential(block.kind, w, residual);
                   own.lower_bound += mu * b - conjugate(block.kind, w, mu);
                   own.rounding += kRounding * std::abs(mu) * (std::abs(b) + reach);
                   own.violation = std::max(own.violation, violation(block.kind, residual));
                   add_slope(block, width, entry, mu);
                 }
               });
  }

  template <class IsWanted, class AddSlope>
  void add_groups(const IsWanted& is_wanted, const AddSlope& add_slope) {
    for (std::size_t g = 0; g < problem_.groups.size(); ++g) {
      const Group& group = problem_.groups[g];
      const std::uint32_t* members = problem_.group_variables.data() + group.first;
      if (!is_wanted(of_[members[0]])) continue;
      ComponentBounds& own = bounds_[of_[members[0]]];
      const double mu = point_.group_multipliers[g];
      double sum = -group.total;
      for (std::size_t k = 0; k < group.count; ++k) {
        sum += point_.x[members[k]];
        add_slope(members[k], mu);
      }
      own.violation = std::max(own.violation, std::abs(sum));
      const double part = mu * group.total;
      own.lower_bound -= part;
      own.rounding += kRounding * (std::abs(part) + std::abs(mu) * group.count);
    }
  }

  template <class IsWanted>
  void add_variables(const IsWanted& is_wanted, const std::vector<double>& gradient) {
    for (std::size_t i = 0; i < problem_.num_variables; ++i) {
      if (!is_wanted(of_[i])) continue;
      const auto segments = problem_.folded.of(i);
      ComponentBounds& own = bounds_[of_[i]];
      const double least = lowest(segments, problem_.upper[i], gradient[i]);
      own.objective += segments[segment_at(segments, point_.x[i])].value(point_.x[i]);
      own.lower_bound += least;
      own.rounding += kRounding * std::abs(least);
    }
  }

  const Problem& problem_;
  const std::span<const std::uint32_t> of_;
  const PrimalDual& point_;
  std::vector<ComponentBounds> bounds_;
};

}  // namespace

std::vector<ComponentBounds> bounds_by_component(
    const Problem& problem,
    std::span<const std::uint32_t> component_of_variable,
    std::size_t num_components,
    PrimalDual& point,
    ThreadPool& pool) {
  std::vector<double> gradient;
  evaluate(problem, point, gradient, pool);
  return ComponentSums(problem, component_of_variable, num_components, point).all(gradient);
}

std::vector<ComponentBounds> bounds_of_marked(const Problem& problem,
                                              std::span<const std::uint32_t> component_of_variable,
                                              const std::vector<bool>& marked,
                                              const PrimalDual& point) {
  return ComponentSums(problem, component_of_variable, marked.size(), point).some(marked);
}

double hidden_by_hard_rows(const Problem& problem, const PrimalDual& point) {
  double hidden = 0.0;
  for_blocks(problem,
             {0, problem.num_rows()},
             [&](const RowBlock& block, auto width, std::size_t first, std::size_t last) {
               if (!is_hard(block.kind) || block.width() == 0) return;
               const std::uint32_t* entry = problem.variables_of(block, first).data();
               const double reach = reach_of(block);
               for (std::size_t row = first; row < last; ++row, entry += width.value(block)) {
                 const double b = problem.offset[row];
                 const double residual = b + dot(block, width, entry, point.x.data());
                 hidden += std::abs(point.multipliers[row]) *
                           (violation(block.kind, residual) + kRounding * (std::abs(b) + reach));
               }
             });
  for (std::size_t g = 0; g < problem.groups.size(); ++g) {
    const Group& group = problem.groups[g];
    double sum = -group.total;
    for (std::size_t k = 0; k < group.count; ++k) {
      sum += point.x[problem.group_variables[group.first + k]];
    }
    const double rounding = kRounding * (group.total + group.count);
    hidden += std::abs(point.group_multipliers[g]) * (std::abs(sum) + rounding);
  }
  return hidden;
}

ComponentProblems::ComponentProblems(const Problem& problem, const Components& components)
    : problem_(problem), components_(components), number_(problem.num_variables) {
  for (std::size_t c = 0; c < components.count(); ++c) {
    std::uint32_t next = 0;
    for (const std::uint32_t i : components.variables_of(c)) number_[i] = next++;
  }
}

Problem ComponentProblems::problem_of(std::size_t component, double unit) const {
  Problem own;
  const auto variables = components_.variables_of(component);
  own.num_variables = variables.size();
  own.folded.begin.push_back(0);
  for (const std::uint32_t i : variables) {
    own.lower.push_back(problem_.lower[i]);
    own.upper.push_back(problem_.upper[i]);
    for (const Segment& s : problem_.folded.of(i)) {
      own.folded.segments.push_back(
          {s.start, s.constant / unit, s.slope / unit, s.curvature / unit});
    }
    own.folded.begin.push_back(own.folded.segments.size());
  }
  const auto rows = components_.rows_of(component);
  auto next = rows.begin();
  for (const RowBlock& block : problem_.blocks) {
    if (next == rows.end() || *next >= block.end_row()) continue;
    RowBlock& to = own.blocks.emplace_back(block);
    to.first_row = own.num_rows();
    to.first_entry = own.variables.size();
    for (; next != rows.end() && *next < block.end_row(); ++next) {
      for (const std::uint32_t i : problem_.variables_of(block, *next)) {
        own.variables.push_back(number_[i]);
      }
      own.weight.push_back(problem_.weight[*next] / unit);
      own.offset.push_back(problem_.offset[*next]);
    }
    to.num_rows = own.num_rows() - to.first_row;
  }
  for (const std::uint32_t g : components_.groups_of(component)) {
    const Group& group = problem_.groups[g];
    own.groups.push_back(
        {static_cast<std::uint32_t>(own.group_variables.size()), group.count, group.total});
    for (std::size_t k = 0; k < group.count; ++k) {
      own.group_variables.push_back(number_[problem_.group_variables[group.first + k]]);
    }
  }
  return own;
}

PrimalDual ComponentProblems::point_of(std::size_t component,
                                       double unit,
                                       const PrimalDual& whole) const {
  PrimalDual own;
  for (const std::uint32_t i : components_.variables_of(component)) own.x.push_back(whole.x[i]);
  for (const std::uint32_t row : components_.rows_of(component)) {
    own.multipliers.push_back(whole.multipliers[row] / unit);
  }
  for (const std::uint32_t g : components_.groups_of(component)) {
    own.group_multipliers.push_back(whole.group_multipliers[g] / unit);
  }
  return own;
}

void ComponentProblems::put_back(std::size_t component,
                                 double unit,
                                 const PrimalDual& point,
                                 PrimalDual& whole) const {
  const auto put = [](std::span<const std::uint32_t> places,
                      const std::vector<double>& from,
                      double factor,
                      std::vector<double>& to) {
    for (std::size_t k = 0; k < places.size(); ++k) to[places[k]] = factor * from[k];
  };
  put(components_.variables_of(component), point.x, 1.0, whole.x);
  put(components_.rows_of(component), point.multipliers, unit, whole.multipliers);
  put(components_.groups_of(component), point.group_multipliers, unit, whole.group_multipliers);
}

}  // namespace sorites
