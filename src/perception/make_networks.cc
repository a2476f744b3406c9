#include <dlfcn.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "perception/check_options.h"
#include "perception/network_call.h"
#include "perception/torch_library.h"

namespace sorites {
namespace {

#ifdef SORITES_TORCH_LIBRARY

constexpr const char* kLibraryName = "libsorites_torch.so";

// Where the library may be, best first: told by the user, beside the program, installed with it,
// installed, where it was built.
std::vector<std::string> candidates() {
  std::vector<std::string> paths;
  if (const char* told = std::getenv("SORITES_TORCH_LIBRARY")) return {told};
  std::error_code error;
  const auto program = std::filesystem::read_symlink("/proc/self/exe", error);
  if (!error) {
    const auto folder = program.parent_path();
    paths.push_back((folder / kLibraryName).string());
    paths.push_back((folder / ".." / SORITES_INSTALL_LIBDIR / kLibraryName).string());
  }
  paths.push_back(std::string(SORITES_INSTALL_FULL_LIBDIR) + "/" + kLibraryName);
  paths.emplace_back(SORITES_TORCH_LIBRARY);
  return paths;
}

std::string find_library() {
  for (const std::string& path : candidates()) {
    if (::access(path.c_str(), R_OK) == 0) return path;
  }
  return {};
}

struct Library {
  MakeFunction make = nullptr;
  FeatureModuleFunction run_feature_module = nullptr;
};

// Once open, the library stays: torch cannot be unloaded.
Library open_library() {
  const std::string path = find_library();
  if (path.empty()) {
    throw NetworkError(
        fmt::format("this model has networks, but {} is not found beside the program nor in {}; "
                    "install it, or name it in the variable SORITES_TORCH_LIBRARY",
                    kLibraryName,
                    SORITES_INSTALL_FULL_LIBDIR));
  }
  // Threads of torch that wait must not spin: with other work on the machine, networks would be
  // slower by a factor of ten. OpenMP reads this when it is loaded; what the user says wins.
  ::setenv("OMP_WAIT_POLICY", "passive", 0);
  void* library = ::dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) {
    throw NetworkError(
        fmt::format("this model has networks, but their library cannot be loaded: {}; "
                    "is libtorch installed (Debian: `apt install libtorch1.13`)?",
                    ::dlerror()));
  }
  const auto interface = reinterpret_cast<InterfaceFunction>(::dlsym(library, kInterfaceSymbol));
  const Library opened{
      reinterpret_cast<MakeFunction>(::dlsym(library, kMakeSymbol)),
      reinterpret_cast<FeatureModuleFunction>(::dlsym(library, kFeatureModuleSymbol))};
  if (interface == nullptr || opened.make == nullptr || opened.run_feature_module == nullptr ||
      !std::equal(std::begin(kNeuralInterface), std::end(kNeuralInterface), interface())) {
    throw NetworkError(fmt::format(
        "`{}` belongs to another version of Sorites; build and install both together", path));
  }
  return opened;
}

Library library() {
  static std::mutex mutex;
  static Library opened;
  const std::lock_guard lock(mutex);
  if (opened.make == nullptr) opened = open_library();
  return opened;
}

FeatureArray run_module(const std::string& path, const FeatureModuleInput& input) {
  const NetworkCall call;
  const std::unique_ptr<FeatureArray> made(library().run_feature_module(path, input));
  return std::move(*made);
}

#else

[[noreturn]] void throw_built_without() {
  throw NetworkError(
      "this model has networks, but Sorites was built without them; install libtorch (Debian: "
      "`apt install libtorch-dev`) and build again");
}

FeatureArray run_module(const std::string&, const FeatureModuleInput&) { throw_built_without(); }

#endif

}  // namespace

#ifdef SORITES_TORCH_LIBRARY

bool has_networks() { return !find_library().empty(); }

std::unique_ptr<Networks> make_networks(std::vector<NetworkOptions> options, std::uint64_t seed) {
  for (const NetworkOptions& network : options) check_options(network);
  const NetworkCall call;  // a module of somebody else is tried out
  return std::unique_ptr<Networks>(library().make(options, seed));
}

#else

bool has_networks() { return false; }

std::unique_ptr<Networks> make_networks(std::vector<NetworkOptions> options, std::uint64_t) {
  for (const NetworkOptions& network : options) check_options(network);
  throw_built_without();
}

#endif

FeatureArray run_feature_module(const std::string& path, const FeatureArray& raw) {
  return run_module(path, {&raw, {}});
}

FeatureArray run_feature_module(const std::string& path, std::span<const std::int64_t> numbers) {
  return run_module(path, {nullptr, numbers});
}

}  // namespace sorites
