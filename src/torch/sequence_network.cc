// Networks that read sentences: words and their letters, a recurrent network in both directions,
// then an mlp for each word, as Ma and Hovy 2016 but for the random field on top, which is rules.
#include <memory>
#include <vector>

#include "perception/token_rows.h"
#include "torch/architecture.h"
#include "torch/layers.h"

namespace sorites {
namespace {

constexpr std::int64_t kNumLetters = 256;     // bytes
constexpr std::int64_t kSizeOfLetter = 16;    // of a letter's vector; Ma and Hovy 2016 have 30
constexpr std::int64_t kDefaultFilters = 30;  // of letters; as there
// Words that are taken for unknown ones, which must be learned too; of `dropout`.
constexpr double kShareOfWords = 0.1;

struct SequenceNetwork : torch::nn::Module {
  explicit SequenceNetwork(const NetworkOptions& options) : dropout(options.dropout) {
    const auto size = static_cast<std::int64_t>(options.embedding_size);
    const auto width = static_cast<std::int64_t>(options.hidden.front());
    const auto filters = options.channels.empty()
                             ? kDefaultFilters
                             : static_cast<std::int64_t>(options.channels.front());
    const auto kernel = static_cast<std::int64_t>(options.kernel_size);
    constexpr double kDeviation = 0.1;  // of vectors at first: small ones are soon overruled
    words = register_parameter(
        "words", kDeviation * torch::randn({static_cast<std::int64_t>(kWordNumbers), size}));
    seen = register_buffer("seen", torch::zeros({static_cast<std::int64_t>(kWordNumbers)}));
    letters = register_parameter("letters", torch::randn({kNumLetters, kSizeOfLetter}));
    convolution = register_module(
        "convolution",
        torch::nn::Conv1d(
            torch::nn::Conv1dOptions(kSizeOfLetter, filters, kernel).padding(kernel / 2)));
    lstm = register_module(
        "lstm", torch::nn::LSTM(torch::nn::LSTMOptions(size + filters, width).bidirectional(true)));
    mlp = register_module("mlp",
                          std::make_shared<Mlp>(2 * width,
                                                std::vector<std::size_t>(options.hidden.begin() + 1,
                                                                         options.hidden.end()),
                                                static_cast<std::int64_t>(options.num_classes),
                                                style_of(options)));
  }

  // Words that training has not seen are all the same: unknown.
  torch::Tensor vectors_of(const torch::Tensor& numbers) {
    if (is_training()) {
      seen.index_fill_(0, numbers, 1.0);
      const torch::Tensor kept = torch::rand({numbers.size(0)}) >= kShareOfWords * dropout;
      return torch::embedding(words, numbers * kept);
    }
    return torch::embedding(words, numbers * (seen.index_select(0, numbers) > 0.5));
  }

  // The largest answer of each filter to the letters of a word.
  torch::Tensor spellings_of(const torch::Tensor& rows) {
    const torch::Tensor vectors = torch::embedding(letters, rows).transpose(1, 2);
    return convolution->forward(vectors).amax(2);
  }

  torch::Tensor dropped(const torch::Tensor& x) const {
    return dropout > 0.0 ? torch::dropout(x, dropout, is_training()) : x;
  }

  // [words, 2 * width]: each with what stands before and behind it in its sentence.
  torch::Tensor read(const torch::Tensor& x, const std::vector<std::int64_t>& lengths) {
    namespace rnn = torch::nn::utils::rnn;
    const torch::Tensor padded = rnn::pad_sequence(x.split_with_sizes(lengths));
    const torch::Tensor counts =
        torch::tensor(torch::ArrayRef<std::int64_t>(lengths), torch::kInt64);
    const auto packed = rnn::pack_padded_sequence(padded, counts, false, false);
    const auto read = std::get<0>(lstm->forward_with_packed_input(packed));
    // [longest, sentences, 2 * width]
    const torch::Tensor states = std::get<0>(rnn::pad_packed_sequence(read)).transpose(0, 1);
    std::vector<torch::Tensor> sentences;
    for (std::size_t i = 0; i < lengths.size(); ++i) {
      sentences.push_back(states[static_cast<std::int64_t>(i)].narrow(0, 0, lengths[i]));
    }
    return torch::cat(sentences);
  }

  torch::Tensor forward(const BatchInput& input) {
    const torch::Tensor rows = input.rows.to(torch::kInt64);
    const torch::Tensor x = torch::cat(
        {vectors_of(rows.select(1, 0)), spellings_of(rows.narrow(1, 1, rows.size(1) - 1))}, 1);
    const torch::Tensor states = dropped(read(dropped(x), input.lengths));
    return mlp->forward(states.index_select(0, input.index.flatten()));
  }

  double dropout;
  torch::Tensor words, seen, letters;
  torch::nn::Conv1d convolution = nullptr;
  torch::nn::LSTM lstm = nullptr;
  std::shared_ptr<Mlp> mlp;
};

}  // namespace

Architecture make_sequence_network(const NetworkOptions& options) {
  const auto network = std::make_shared<SequenceNetwork>(options);
  Architecture result = architecture_of(network);
  result.logits = [network](const BatchInput& input) { return network->forward(input); };
  return result;
}

}  // namespace sorites
