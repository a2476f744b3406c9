// Named spans in rows of tags: `B-PER I-PER O S-LOC`. Any of the usual ways to write them is read:
// IO, IOB (Ramshaw and Marcus 1995), BIO, BIOES.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace sorites {

// Tokens begin to end - 1 are one thing of this kind.
struct TagSpan {
  std::size_t begin = 0, end = 0;
  std::string_view kind;

  bool operator==(const TagSpan&) const = default;
};

// `O`, or a letter of `BIES` and a kind with a dash between.
bool is_tag(std::string_view text);

// Of the tags of one sentence, whose texts must outlive the spans. What does not fit together
// counts as far as it can, as in Sang and Buchholz 2000: a span begins at B and S, behind E and S,
// and where the kind changes.
std::vector<TagSpan> tag_spans(std::span<const std::string_view> tags);

// The spans as tags: B-, I-, E- and S-, or with `bioes` false B- and I- alone.
std::vector<std::string> tags_of(std::span<const TagSpan> spans, std::size_t length, bool bioes);

}  // namespace sorites
