#include "modelfile/finish_diagnostics.h"

#include <algorithm>
#include <string>

#include "base/mistake_limits.h"

namespace sorites {
namespace {

// The lines of a text, found once.
class Lines {
 public:
  explicit Lines(const ModelText& text) : text_(text) {
    for (std::size_t i = text.text.find('\n'); i != std::string::npos;
         i = text.text.find('\n', i + 1)) {
      begins_.push_back(i + 1);
    }
  }

  bool has(const Span& span) const {
    return span.file == text_.path && span.line > 0 && span.line <= begins_.size();
  }
  std::string line(std::uint32_t number) const {
    const std::size_t begin = begins_[number - 1];
    const std::size_t end = std::min(text_.text.find('\n', begin), text_.text.size());
    std::string line = text_.text.substr(begin, end - begin);
    if (line.ends_with('\r')) line.pop_back();
    return line;
  }

 private:
  const ModelText& text_;
  std::vector<std::size_t> begins_{0};
};

bool same(const Diagnostic& a, const Diagnostic& b) {
  return a.code == b.code && a.span == b.span && a.message == b.message;
}

}  // namespace

std::vector<Diagnostic> finish_diagnostics(const ModelFile& model, Diagnostics& diagnostics) {
  std::vector<Diagnostic> result;
  if (diagnostics.all().empty()) return result;
  const std::vector<Lines> texts(model.texts.begin(), model.texts.end());
  for (Diagnostic& diagnostic : diagnostics.take_sorted()) {
    // Equal ones have equal places, so they are near each other.
    const auto earlier = std::find_if(result.rbegin(), result.rend(), [&](const Diagnostic& one) {
      return one.span != diagnostic.span || same(one, diagnostic);
    });
    if (earlier != result.rend() && same(*earlier, diagnostic)) continue;
    for (const Lines& lines : texts) {
      if (result.size() >= kManyExcerpts || !diagnostic.excerpt.empty() ||
          !lines.has(diagnostic.span))
        continue;
      diagnostic.excerpt = lines.line(diagnostic.span.line);
    }
    result.push_back(std::move(diagnostic));
  }
  return result;
}

}  // namespace sorites
