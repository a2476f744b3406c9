#include "modelfile/file_access.h"

#include "base/read_file.h"

namespace sorites {

std::string read_text_file(const std::string& path, std::string& text) {
  return read_text(path, text);
}

}  // namespace sorites
