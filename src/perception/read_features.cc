#include "perception/read_features.h"

#include <fmt/format.h>

namespace sorites {

// Arrays are often kept packed under their plain name, so the bytes decide.
std::optional<FileBytes> open_features(const std::string& path, Diagnostics& sink) {
  OpenedFile file = open_file(path);
  const Span whole{path, 0, 0, 0};
  if (!file.error.empty()) {
    sink.error(DiagnosticCode::kUnreadableFile,
               whole,
               fmt::format("cannot read the file of features: {}", file.error));
    return std::nullopt;
  }
  constexpr std::string_view kGzipMagic = "\x1f\x8b";
  if (!file.bytes.view().starts_with(kGzipMagic)) return std::move(file.bytes);
  OpenedFile unpacked = unpack_gzip(file.bytes.view());
  if (unpacked.error.empty()) return std::move(unpacked.bytes);
  Diagnostic& d = sink.error(DiagnosticCode::kBadGzip,
                             whole,
                             fmt::format("cannot unpack the file of features: {}", unpacked.error));
  d.notes.push_back({"test it with `gzip -t`, and copy or pack it again", {}});
  return std::nullopt;
}

std::optional<FeatureArray> read_feature_array(const std::string& path, Diagnostics& sink) {
  const std::optional<FileBytes> bytes = open_features(path, sink);
  if (!bytes) return std::nullopt;
  if (bytes->view().starts_with("\x93NUMPY")) return parse_npy(bytes->view(), path, sink);
  if (bytes->view().starts_with(std::string_view("\0\0", 2))) {
    return parse_idx(bytes->view(), path, sink);
  }
  Diagnostic& d = sink.error(DiagnosticCode::kBadFeatures,
                             Span{path, 0, 0, 0},
                             "the file is neither a NumPy array (.npy) nor an IDX file");
  d.notes.push_back({"save the array by numpy.save(path, array)", {}});
  return std::nullopt;
}

std::optional<EntityFeatures> read_entity_features(const std::string& path,
                                                   std::size_t num_arguments,
                                                   const FeatureColumns& columns,
                                                   Diagnostics& sink) {
  const std::optional<FileBytes> bytes = open_features(path, sink);
  if (!bytes) return std::nullopt;
  return parse_entity_features(bytes->view(), path, num_arguments, columns, sink);
}

}  // namespace sorites
