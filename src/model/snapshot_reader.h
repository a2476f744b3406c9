// Reads the bytes of a snapshot.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <variant>

#include "sorites/model.h"

namespace sorites {

// The head of a snapshot file. Numbers are little-endian, as on the machines we run on;
// `byte_order` tells.
struct SnapshotHeader {
  char magic[8];
  std::uint32_t byte_order;
  std::uint32_t version;
  std::uint64_t fingerprint;
  std::uint64_t body_bytes;
  std::uint32_t body_checksum;    // CRC-32
  std::uint32_t header_checksum;  // CRC-32 of all before it
};
inline constexpr char kSnapshotMagic[8] = {'S', 'o', 'r', 'i', 't', 'e', 's', '\x1a'};
inline constexpr std::uint32_t kSnapshotByteOrder = 0x01020304;
inline constexpr std::uint32_t kSnapshotVersion = 1;

std::uint32_t checksum(std::uint32_t start, std::span<const char> bytes);

// The model, or what is wrong with the file.
std::variant<Model, std::string> read_snapshot(std::span<const char> file,
                                               std::uint64_t fingerprint);

}  // namespace sorites
