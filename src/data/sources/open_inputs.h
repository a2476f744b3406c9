// Data files opened and, if packed, unpacked.
#pragma once

#include <span>
#include <stop_token>
#include <vector>

#include "base/diagnostics.h"
#include "base/thread_pool.h"
#include "data/sources/chunks.h"
#include "data/sources/load.h"

namespace sorites {

// What can be opened; what cannot goes to the sink. Throws Interrupted.
std::vector<InputFile> open_inputs(Database& database,
                                   std::span<const DataFile> files,
                                   ThreadPool& pool,
                                   const std::stop_token& stop,
                                   Diagnostics& sink);

// Warns of files without rows, once they are counted.
void warn_of_empty_files(std::span<const InputFile> files, Diagnostics& sink);

}  // namespace sorites
