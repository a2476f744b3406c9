// Reading that hears a wish to stop: a pipe or a terminal may have nothing to say for ever, and a
// device may never end.
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <stop_token>
#include <string>

namespace sorites {

// A descriptor, closed at the end; below 0, and errno is set, if the file cannot be opened. A pipe
// is open at once, whether somebody writes to it or not.
class ReadDescriptor {
 public:
  explicit ReadDescriptor(const std::string& path);
  ~ReadDescriptor();
  ReadDescriptor(const ReadDescriptor&) = delete;
  ReadDescriptor& operator=(const ReadDescriptor&) = delete;
  int number() const { return number_; }

 private:
  int number_;
};

// As read(2), but looks at `stop` while it waits. Throws Interrupted.
ssize_t read_some(int descriptor, void* to, std::size_t count, const std::stop_token& stop);

// The whole of a file that people write, of at most 1 GB: places in it are 32 bits. Returns why it
// cannot be read, or an empty text. Throws Interrupted, also if a signal says so.
std::string read_text(const std::string& path, std::string& text, const std::stop_token& stop = {});
std::string read_text(int descriptor, std::string& text, const std::stop_token& stop);

}  // namespace sorites
