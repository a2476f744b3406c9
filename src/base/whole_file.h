// Files that are there whole or not at all. Everything that the program writes under a name that
// the user gave goes through here.
#pragma once

#include <cstdio>
#include <memory>
#include <string>
#include <string_view>

namespace sorites {

// A file under a name of its own beside `path` until put_in_place(); gone if that is never called.
// The name is new (O_EXCL), so that two runs do not share it and a link that somebody left there is
// not followed; a link at `path` itself is replaced, not followed. Devices, pipes and what stands
// in /dev or /proc cannot be replaced: they are written to as they are. All calls throw IoError.
class WholeFile {
 public:
  explicit WholeFile(std::string path);
  ~WholeFile();
  WholeFile(WholeFile&& other) noexcept = default;
  WholeFile(const WholeFile&) = delete;
  WholeFile& operator=(const WholeFile&) = delete;
  WholeFile& operator=(WholeFile&&) = delete;

  void write(std::string_view bytes);
  // Of what is written already. Pipes have no way back.
  void overwrite(long position, std::string_view bytes);
  void close();         // what was written is on its way to the disk, or this throws
  void put_in_place();  // closes, too

 private:
  struct Close {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };
  // The file beside `path`, removed at the end.
  struct Part {
    std::string name;  // empty: there is none
    ~Part();
  };

  std::string path_;
  std::unique_ptr<Part> part_;
  std::unique_ptr<std::FILE, Close> file_;
};

// Throws IoError.
void write_whole_file(const std::string& path, std::string_view text);

// For long runs, before they begin: throw IoError if a file could not be written to this path, or
// files into this folder, which may be still to make. What is there stays as it is.
void check_can_write(const std::string& path);
void check_can_write_into(const std::string& folder);

}  // namespace sorites
