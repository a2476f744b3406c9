#include "base/saved_struct.h"

namespace sorites::saved {

Head read_head(FrameCursor& in, const Head& expected, std::string_view name) {
  Head head;
  head.kind = in.number<SectionKind>();
  head.element_bytes = in.number<std::uint8_t>();
  head.count = in.number<std::uint64_t>();
  if (head.kind != expected.kind || head.element_bytes != expected.element_bytes) {
    throw DamagedFrame(fmt::format("`{}` is of another kind than it should be", name));
  }
  const bool is_fixed = head.kind == SectionKind::kNumber || head.kind == SectionKind::kStruct;
  if ((is_fixed && head.count != expected.count) ||
      (head.kind == SectionKind::kOptional && head.count > 1)) {
    throw DamagedFrame(fmt::format("`{}` has another number of parts than it should have", name));
  }
  const std::size_t least = head.kind == SectionKind::kArray  ? head.element_bytes
                            : head.kind == SectionKind::kList ? kHeadBytes
                                                              : 0;
  if (least > 0 && head.count > in.left() / least) {
    throw DamagedFrame(fmt::format("`{}` is longer than the file", name));
  }
  return head;
}

void read_name(FrameCursor& in, std::string_view expected) {
  std::string name;
  in.elements(name, in.number<std::uint8_t>());
  if (name != expected) {
    throw DamagedFrame(fmt::format("`{}` is not where it should be", expected));
  }
}

void refuse(const std::string& path, const FrameFormat& format, const std::string& problem) {
  Diagnostics sink;
  sink.error(
      format.code, Span{path}, fmt::format("the {} cannot be used: {}", format.name, problem));
  throw InputError(sink.take_sorted());
}

}  // namespace sorites::saved
