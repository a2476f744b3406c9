// Small tasks that every kind of network learns in a second.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "perception/networks.h"
#include "perception/token_rows.h"

namespace sorites {

struct ToyTask {
  NetworkOptions options;
  NetworkInputs inputs;  // all entities are labelled, and have an output per class
};

inline constexpr std::size_t kToyClasses = 3;  // more than two, so that softmax is no sigmoid

// Outputs and labels of entities whose classes are known.
inline void add_outputs(ToyTask& task, const std::vector<std::size_t>& classes) {
  const std::size_t num_classes = task.options.num_classes;
  task.inputs.labels.assign(classes.size() * num_classes, 0.0F);
  for (std::size_t entity = 0; entity < classes.size(); ++entity) {
    task.inputs.labels[entity * num_classes + classes[entity]] = 1.0F;
    for (std::size_t k = 0; k < num_classes; ++k) {
      task.inputs.entity_of.push_back(static_cast<std::uint32_t>(entity));
      task.inputs.class_of.push_back(static_cast<std::uint32_t>(k));
    }
  }
}

inline ToyTask empty_task(NetworkKind kind) {
  ToyTask task;
  task.options.name = "Toy";
  task.options.kind = kind;
  task.options.num_classes = kToyClasses;
  task.options.hidden = {16};
  task.options.training.learning_rate = 0.01;
  return task;
}

// Which of the first three numbers is largest?
inline ToyTask vector_task(NetworkKind kind, std::size_t num_entities = 60) {
  ToyTask task = empty_task(kind);
  task.options.input_shape = task.inputs.features.shape = {4};
  std::mt19937 random(7);
  std::uniform_real_distribution<float> uniform(-1.0F, 1.0F);
  std::vector<std::size_t> classes;
  for (std::size_t i = 0; i < num_entities; ++i) {
    std::vector<float> row(4);
    for (float& value : row) value = uniform(random);
    classes.push_back(
        static_cast<std::size_t>(std::max_element(row.begin(), row.begin() + 3) - row.begin()));
    task.inputs.features.values.insert(task.inputs.features.values.end(), row.begin(), row.end());
    task.inputs.rows.push_back(static_cast<std::uint32_t>(i));
  }
  add_outputs(task, classes);
  return task;
}

// Images of 8 x 8: in which of three corners is the light?
inline FeatureArray corner_images(std::size_t count, std::vector<std::size_t>& classes) {
  FeatureArray images{.shape = {1, 8, 8}};
  std::mt19937 random(11);
  std::uniform_real_distribution<float> noise(0.0F, 0.3F);
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t corner = i % kToyClasses;
    for (std::size_t y = 0; y < 8; ++y) {
      for (std::size_t x = 0; x < 8; ++x) {
        const bool light = (y < 4) == (corner < 2) && (x < 4) == (corner != 1);
        images.values.push_back(noise(random) + (light ? 0.7F : 0.0F));
      }
    }
    classes.push_back(corner);
  }
  return images;
}

inline ToyTask image_task(NetworkKind kind, std::size_t num_entities = 30) {
  ToyTask task = empty_task(kind);
  task.options.input_shape = {1, 8, 8};
  task.options.channels = {4, 8};
  std::vector<std::size_t> classes;
  task.inputs.features = corner_images(num_entities, classes);
  for (std::size_t i = 0; i < num_entities; ++i) {
    task.inputs.rows.push_back(static_cast<std::uint32_t>(i));
  }
  add_outputs(task, classes);
  return task;
}

// Is the light of two images in the same corner?
inline ToyTask pair_task(std::size_t num_images = 9) {
  ToyTask task = empty_task(NetworkKind::kSiamese);
  task.options.input_shape = {1, 8, 8};
  task.options.channels = {4, 8};
  task.options.num_parts = 2;
  task.options.num_classes = 2;
  std::vector<std::size_t> corners, classes;
  task.inputs.features = corner_images(num_images, corners);
  for (std::uint32_t a = 0; a < num_images; ++a) {
    for (std::uint32_t b = 0; b < num_images; ++b) {
      task.inputs.rows.insert(task.inputs.rows.end(), {a, b});
      classes.push_back(corners[a] == corners[b] ? 1 : 0);
    }
  }
  add_outputs(task, classes);
  return task;
}

// Classes that only the entity itself tells.
inline ToyTask embedding_task(std::size_t num_entities = 12) {
  ToyTask task = empty_task(NetworkKind::kEmbedding);
  std::vector<std::size_t> classes;
  for (std::size_t i = 0; i < num_entities; ++i) {
    task.options.vocabulary.push_back("e" + std::to_string(i));
    task.inputs.rows.push_back(static_cast<std::uint32_t>(i));
    classes.push_back(i * i % kToyClasses);
  }
  add_outputs(task, classes);
  return task;
}

// Sentences of three kinds of words, of which the first tells the class of all: no word alone does,
// and neither do those behind it.
inline ToyTask sentence_task(std::size_t num_sentences = 12) {
  ToyTask task = empty_task(NetworkKind::kBilstm);
  const std::string words[] = {"Ann", "blue", "seventy"};
  std::string text;
  std::vector<std::size_t> classes;
  for (std::size_t s = 0; s < num_sentences; ++s) {
    const std::size_t length = 2 + s % 3;
    for (std::size_t i = 0; i < length; ++i) {
      text += words[i == 0 ? s % kToyClasses : (s + s / 3 + i) % kToyClasses] + " O\n";
      classes.push_back(s % kToyClasses);
    }
    text += "\n";
  }
  TokenRows rows = token_rows(text);
  task.options.embedding_size = 4;
  task.options.hidden = {8};
  task.options.channels = {4};
  task.options.input_shape = rows.array.shape;
  task.options.training.learning_rate = 0.05;
  task.inputs.features = std::move(rows.array);
  task.inputs.sentence_begins = std::move(rows.sentence_begins);
  for (std::uint32_t i = 0; i < classes.size(); ++i) task.inputs.rows.push_back(i);
  add_outputs(task, classes);
  return task;
}

inline ToyTask task_for(NetworkKind kind) {
  switch (kind) {
    case NetworkKind::kBilstm:
      return sentence_task();
    case NetworkKind::kCnn:
    case NetworkKind::kResNet18:
      return image_task(kind);
    case NetworkKind::kSiamese:
      return pair_task();
    case NetworkKind::kEmbedding:
      return embedding_task();
    default:
      return vector_task(kind);
  }
}

// Slopes of 0 for all outputs of some samples.
inline std::vector<std::vector<double>> flat(const std::vector<std::vector<double>>& outputs) {
  std::vector<std::vector<double>> slopes;
  for (const auto& sample : outputs) slopes.emplace_back(sample.size(), 0.0);
  return slopes;
}

// Epochs of one step on each sample.
inline void train(OutputSource& source,
                  std::uint64_t first_epoch,
                  std::uint64_t last_epoch,
                  std::uint64_t max_epochs,
                  std::size_t num_samples = 1) {
  for (std::uint64_t epoch = first_epoch; epoch <= last_epoch; ++epoch) {
    source.begin_epoch(epoch, max_epochs);
    for (std::size_t sample = 0; sample < num_samples; ++sample) {
      const std::size_t batch[] = {sample};
      source.step(flat(source.forward(batch)));
    }
  }
}

// The part of the entities whose largest output is that of their class.
inline double accuracy(const std::vector<double>& outputs,
                       const NetworkInputs& inputs,
                       std::size_t num_classes) {
  std::size_t right = 0;
  const std::size_t count = inputs.labels.size() / num_classes;
  for (std::size_t entity = 0; entity < count; ++entity) {
    const double* values = outputs.data() + entity * num_classes;
    const float* labels = inputs.labels.data() + entity * num_classes;
    right += (std::max_element(values, values + num_classes) - values ==
              std::max_element(labels, labels + num_classes) - labels)
                 ? 1
                 : 0;
  }
  return static_cast<double>(right) / static_cast<double>(count);
}

}  // namespace sorites
