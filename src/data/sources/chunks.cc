#include "data/sources/chunks.h"

#include <algorithm>

namespace sorites {
namespace {

std::uint64_t count_quotes(std::string_view text) {
  return static_cast<std::uint64_t>(std::count(text.begin(), text.end(), '"'));
}

// The end of the record in which byte `at` lies; `inside` if a quote is open just before it.
std::size_t record_end(std::string_view text, std::size_t at, bool inside) {
  for (; at < text.size(); ++at) {
    if (text[at] == '"') inside = !inside;
    if (text[at] == '\n' && !inside) return at + 1;
  }
  return text.size();
}

// Per stretch of chunk_bytes, the quotes before it; empty where they do not matter.
std::vector<std::uint64_t> quotes_before(const InputFile& file,
                                         std::size_t chunk_bytes,
                                         ThreadPool& pool) {
  if (file.format == RowFormat::kTabs || file.text.empty()) return {};
  std::vector<std::uint64_t> quotes((file.text.size() - 1) / chunk_bytes + 2);
  pool.for_each(quotes.size() - 1, [&](std::size_t i) {
    quotes[i + 1] = count_quotes(file.text.substr(i * chunk_bytes, chunk_bytes));
  });
  for (std::size_t i = 1; i < quotes.size(); ++i) quotes[i] += quotes[i - 1];
  if (quotes.back() == 0) return {};
  return quotes;
}

// Each cut is at the end of the record that holds the first byte of a stretch. A record longer than
// a stretch leaves no cut in those that it covers.
void cut(const std::vector<InputFile>& files,
         std::size_t file,
         std::size_t chunk_bytes,
         ThreadPool& pool,
         std::vector<Chunk>& chunks) {
  const std::string_view text = files[file].text;
  const auto quotes = quotes_before(files[file], chunk_bytes, pool);
  std::size_t begin = 0;
  for (std::size_t i = 1; begin < text.size(); ++i) {
    const std::size_t at = i * chunk_bytes;
    if (at < begin) continue;
    std::size_t end = text.size();
    if (at < text.size()) {
      end = quotes.empty() ? std::min(text.find('\n', at), text.size() - 1) + 1
                           : record_end(text, at, quotes[i] % 2 != 0);
    }
    Chunk& chunk = chunks.emplace_back();
    chunk.file = file;
    chunk.text = text.substr(begin, end - begin);
    chunk.quoted = !quotes.empty();
    begin = end;
  }
}

void count(Chunk& chunk) {
  if (chunk.quoted) chunk.quoted = chunk.text.find('"') != std::string_view::npos;
  const char* p = chunk.text.data();
  const char* end = p + chunk.text.size();
  while (p < end) {
    const Record record = next_record(p, end, chunk.quoted);
    chunk.num_lines += record.num_lines;
    if (record.text.empty() || (is_blank(record.text[0]) && is_blank(record.text))) {
      p = record.next;
      continue;
    }
    ++chunk.num_rows;
    p = record.next;
  }
}

bool first_row_has_value(const InputFile& file, std::size_t arity) {
  FieldSplitter splitter(file.format);
  const char* p = file.text.data();
  const char* end = p + file.text.size();
  while (p < end) {
    const Record record = next_record(p, end, file.format == RowFormat::kCommas);
    p = record.next;
    if (is_blank(record.text)) continue;
    return !splitter.split(record.text) && splitter.fields().size() > arity;
  }
  return false;
}

}  // namespace

InputFile open_input(const DataFile& declared, FileBytes bytes, std::size_t arity) {
  InputFile file{declared, std::move(bytes), {}, format_of(declared.path), false, 0, 0, 0};
  file.text = without_byte_order_mark(file.bytes.view());
  file.has_values = first_row_has_value(file, arity);
  return file;
}

std::vector<Chunk> cut_into_chunks(std::vector<InputFile>& files,
                                   std::size_t chunk_bytes,
                                   ThreadPool& pool,
                                   const std::stop_token& stop) {
  std::vector<Chunk> chunks;
  for (std::size_t i = 0; i < files.size(); ++i) cut(files, i, chunk_bytes, pool, chunks);
  pool.for_each(chunks.size(), [&](std::size_t i) {
    if (stop.stop_requested()) throw Interrupted();
    count(chunks[i]);
  });
  for (std::size_t i = 0; i < chunks.size(); ++i) {
    const bool first = i == 0 || chunks[i - 1].file != chunks[i].file;
    if (!first) chunks[i].first_line = chunks[i - 1].first_line + chunks[i - 1].num_lines;
    files[chunks[i].file].num_rows += chunks[i].num_rows;
  }
  return chunks;
}

}  // namespace sorites
