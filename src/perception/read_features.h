// Files of numbers that networks read, as rows of the same shape. All mistakes go to the sink; what
// is read into memory is never larger than the file says and has.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostics.h"
#include "data/sources/file_bytes.h"
#include "perception/networks.h"

namespace sorites {

// The bytes of a file of features, unpacked.
std::optional<FileBytes> open_features(const std::string& path, Diagnostics& sink);

// An array: NumPy's `.npy`, or IDX (as of MNIST); which of them, its first bytes tell. Either may
// be packed by gzip. Images of IDX, {n, height, width} bytes, become rows of shape {1, height,
// width} in [0, 1]; everything else stays as it is. An array of one dimension has rows of one
// number.
std::optional<FeatureArray> read_feature_array(const std::string& path, Diagnostics& sink);

// The columns of an entity-data map that are no features. They are counted from 0 behind the
// arguments of the entity, or from the end of the line if they are negative.
struct FeatureColumns {
  std::vector<int> skipped;
  std::optional<int> label;

  bool is_plain() const { return skipped.empty() && !label; }
};

struct EntityFeatures {
  FeatureArray array;
  std::vector<std::string> labels;  // per row, if there is a column of them
};

// PSL's entity-data map: lines of `num_arguments` arguments of an entity and then numbers, with
// tabs between. Row i is that of the i-th line that is not blank.
std::optional<EntityFeatures> read_entity_features(const std::string& path,
                                                   std::size_t num_arguments,
                                                   const FeatureColumns& columns,
                                                   Diagnostics& sink);

// The same of bytes in memory, which are not packed; `file` is the name in messages.
std::optional<FeatureArray> parse_npy(std::string_view bytes,
                                      const std::string& file,
                                      Diagnostics& sink);
std::optional<FeatureArray> parse_idx(std::string_view bytes,
                                      const std::string& file,
                                      Diagnostics& sink);
std::optional<EntityFeatures> parse_entity_features(std::string_view text,
                                                    const std::string& file,
                                                    std::size_t num_arguments,
                                                    const FeatureColumns& columns,
                                                    Diagnostics& sink);

}  // namespace sorites
