#include <algorithm>

#include "meanfield/atom_state.h"

namespace sorites {

template <class Real>
AtomValues<Real> unaries_of(const MeanFieldModel& model) {
  AtomValues<Real> result;
  const std::vector<AtomLayout> layouts = layouts_of(model);
  for (std::size_t p = 0; p < layouts.size(); ++p) {
    result.emplace_back(layouts[p].size(), Real{0});
    if (p >= model.unaries.size()) continue;
    const std::vector<float>& own = model.unaries[p];
    std::copy_n(own.begin(), std::min(own.size(), result[p].size()), result[p].begin());
  }
  return result;
}

template AtomValues<float> unaries_of(const MeanFieldModel&);
template AtomValues<double> unaries_of(const MeanFieldModel&);

}  // namespace sorites
