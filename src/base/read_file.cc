#include "base/read_file.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>
#include <vector>

#include "sorites/diagnostic.h"

namespace sorites {
namespace {

std::string system_message() { return std::generic_category().message(errno); }

}  // namespace

ReadDescriptor::ReadDescriptor(const std::string& path)
    : number_(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)) {}

ReadDescriptor::~ReadDescriptor() {
  if (number_ >= 0) ::close(number_);
}

ssize_t read_some(int descriptor, void* to, std::size_t count, const std::stop_token& stop) {
  constexpr int kPatienceMilliseconds = 50;  // between looks at `stop`
  while (true) {
    if (stop.stop_requested()) throw Interrupted();
    pollfd wait{descriptor, POLLIN, 0};
    const int ready = ::poll(&wait, 1, kPatienceMilliseconds);
    // The program restarts no calls: a signal that asks it to stop ends them.
    if (ready < 0 && errno == EINTR && !stop.stop_possible()) throw Interrupted();
    if (ready == 0 || (ready < 0 && errno == EINTR)) continue;
    const ssize_t got = ::read(descriptor, to, count);
    if (got >= 0 || (errno != EINTR && errno != EAGAIN)) return got;
  }
}

std::string read_text(int descriptor, std::string& text, const std::stop_token& stop) {
  constexpr std::size_t kLargest = std::size_t{1} << 30U;  // places are 32-bit
  text.clear();
  std::vector<char> buffer(std::size_t{1} << 16U);
  while (true) {
    const ssize_t got = read_some(descriptor, buffer.data(), buffer.size(), stop);
    if (got < 0) return system_message();
    if (got == 0) return {};
    text.append(buffer.data(), static_cast<std::size_t>(got));
    if (text.size() > kLargest) return "it is larger than 1 GB";
  }
}

std::string read_text(const std::string& path, std::string& text, const std::stop_token& stop) {
  const ReadDescriptor file(path);
  struct stat info {};
  if (file.number() < 0 || ::fstat(file.number(), &info) != 0) return system_message();
  if (S_ISDIR(info.st_mode)) return "it is a folder";
  return read_text(file.number(), text, stop);
}

}  // namespace sorites
