#include "learn/loss_text.h"

#include <fmt/format.h>

#include <cmath>
#include <stdexcept>
#include <vector>

#include "base/constant.h"
#include "base/diagnostics.h"
#include "options/option_value.h"

namespace sorites {
namespace {

struct NamedLoss {
  std::string_view name;
  double LossMix::*coefficient;
};
constexpr NamedLoss kLosses[] = {{"energy", &LossMix::energy},
                                 {"structured_perceptron", &LossMix::structured_perceptron},
                                 {"squared_error", &LossMix::squared_error},
                                 {"cross_entropy", &LossMix::cross_entropy},
                                 {"metric", &LossMix::metric}};

double LossMix::*find_loss(std::string_view name) {
  std::vector<std::string_view> known;
  for (const NamedLoss& loss : kLosses) {
    if (same_but_case(loss.name, name)) return loss.coefficient;
    known.push_back(loss.name);
  }
  const std::string_view near = nearest_name(name, known);
  throw std::invalid_argument(
      near.empty()
          ? fmt::format("there is no loss `{}`; there are {}", name, fmt::join(known, ", "))
          : fmt::format("there is no loss `{}`; did you mean `{}`?", name, near));
}

void add_loss(std::string_view item, LossMix& mix) {
  const std::size_t colon = std::min(item.find(':'), item.size());
  const std::string_view name = item.substr(0, colon);
  double& coefficient = mix.*find_loss(name);
  if (coefficient != 0.0) throw std::invalid_argument(fmt::format("`{}` stands twice", name));
  const std::string_view number = colon < item.size() ? item.substr(colon + 1) : "1";
  const auto value = parse_real(number);
  if (!value || !std::isfinite(*value) || *value <= 0.0) {
    throw std::invalid_argument(
        fmt::format("the coefficient of `{}` is a positive number, not `{}`", name, number));
  }
  coefficient = *value;
}

}  // namespace

LossMix loss_from_text(std::string_view text) {
  LossMix mix;
  while (true) {
    const std::size_t end = std::min(text.find(','), text.size());
    add_loss(text.substr(0, end), mix);
    if (end == text.size()) return mix;
    text.remove_prefix(end + 1);
  }
}

std::string to_text(const LossMix& loss) {
  std::string text;
  for (const NamedLoss& named : kLosses) {
    const double coefficient = loss.*named.coefficient;
    if (coefficient == 0.0) continue;
    if (!text.empty()) text += ',';
    text += named.name;
    if (coefficient != 1.0) text += ':' + to_text(coefficient);
  }
  return text;
}

}  // namespace sorites
