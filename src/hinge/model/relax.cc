#include "hinge/model/relax.h"

#include <utility>

namespace sorites {
namespace {

TermBlock negated(TermBlock block) {
  for (double& coefficient : block.coefficients) coefficient = -coefficient;
  for (double& coefficient : block.output_coefficients) coefficient = -coefficient;
  for (double& offset : block.offsets) offset = -offset;
  block.offset = -block.offset;
  return block;
}

}  // namespace

void relax_hard_rules(Model& model, double weight, bool squared) {
  for (GroundRule& rule : model.rules) {
    if (!rule.hard) continue;
    rule.hard = false;
    rule.weight = weight;
  }
  const TermKind soft = squared ? TermKind::kSquaredHinge : TermKind::kHinge;
  std::vector<TermBlock> blocks;
  for (TermBlock& block : model.blocks) {
    const bool equal = block.kind == TermKind::kEqual;
    if (equal || block.kind == TermKind::kAtMost) block.kind = soft;
    blocks.push_back(std::move(block));
    if (equal) blocks.push_back(negated(blocks.back()));
  }
  model.blocks = std::move(blocks);
}

}  // namespace sorites
