// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#include "training/run/gallery.hpp"

#include <torch/torch.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <opencv2/imgcodecs.hpp>
#include <optional>
#include <set>

#include "datasets/image.hpp"
#include "mgproto_ros/error.hpp"
#include "model/checkpoint.hpp"
#include "model/decision.hpp"
#include "model/file_io.hpp"
#include "model/image_file.hpp"
#include "model/nearest_name.hpp"
#include "model/printable.hpp"
#include "training/measure/logit_scores.hpp"
#include "training/measure/pictures/patches_and_features.hpp"
#include "training/measure/pictures/plane.hpp"
#include "training/report/densities.hpp"
#include "training/report/gallery_page.hpp"
#include "visual/density_picture.hpp"
#include "visual/prototype_gallery.hpp"
#include "visual/scatter_picture.hpp"
#include "visual/text.hpp"

namespace mgproto
{
namespace
{

constexpr std::size_t kMostFeatures = 800;  // as many as the paper's memory of a class holds
constexpr std::size_t kLongestName = 100;

std::vector<int> class_ids(
  const std::vector<std::string> & wanted, const std::vector<std::string> & known)
{
  std::set<int> ids;
  for (const std::string & name : wanted) {
    const auto found = std::find(known.begin(), known.end(), name);
    if (found == known.end()) {
      throw ConfigError(
        "class", "the model has no '" + printable(name) + "', did you mean '" +
                   nearest_name(name.substr(0, kLongestName), known) + "'?");
    }
    ids.insert(static_cast<int>(found - known.begin()));
  }
  for (int c = 0; wanted.empty() && c < static_cast<int>(known.size()); ++c) {
    ids.insert(c);
  }
  return {ids.begin(), ids.end()};
}

void keep_classes(Dataset & dataset, const std::vector<int> & classes)
{
  auto & samples = dataset.samples;
  const auto unwanted = [&](const Sample & sample) {
    return !std::binary_search(classes.begin(), classes.end(), sample.label);
  };
  samples.erase(std::remove_if(samples.begin(), samples.end(), unwanted), samples.end());
  if (samples.empty()) {
    throw FileError(
      dataset.root, "no images of the chosen classes in split '" + dataset.split + "'");
  }
}

void make_directory(const std::string & path)
{
  std::error_code error;
  if (!std::filesystem::create_directories(path, error)) {
    throw FileError(
      path,
      error ? "cannot be made: " + error.message() : "exists already: choose another directory");
  }
}

visual::PatchPicture training_patch(const Manifest & manifest, std::int64_t prototype)
{
  const auto k = static_cast<std::size_t>(prototype);
  const bool projected = k < manifest.prototypes.size() && manifest.prototypes[k];
  return projected ? visual::stored_patch(*manifest.prototypes[k]) : visual::PatchPicture();
}

visual::NearPatch near_patch(
  const Dataset & dataset, const PatchCandidate & patch, bool with_context)
{
  const Sample & sample = dataset.samples[patch.image];
  return {
    visual::patch_of(read_image(sample), patch.box(), with_context), patch.similarity, sample.name};
}

class Gallery
{
public:
  Gallery(
    const std::string & model, const GalleryOptions & options, const std::string & directory,
    const StepProgress & progress)
  : checkpoint_(load_mixtures(model)), options_(options), directory_(directory), progress_(progress)
  {
  }

  WrittenGallery write(const std::string & model)
  {
    // All that can be wrong is opened before anything is made.
    const std::vector<int> classes = class_ids(options_.classes, checkpoint_.manifest.classes);
    const Manifest & manifest = checkpoint_.manifest;
    Dataset images = open_for_model(manifest, options_.images);
    keep_classes(images, classes);
    const Dataset test = open_for_model(manifest, {options_.images.path, "test"});
    std::optional<Dataset> calibration;
    if (!options_.calibration.empty()) {
      calibration = open_for_model(manifest, {options_.calibration, "all"});
    }
    std::map<std::string, Dataset> ood;
    for (const auto & [name, path] : options_.ood) {
      ood[name] = open_ood(path);
    }
    make_directory(directory_);

    write_classes(classes, images);
    write_densities(test, calibration, ood);
    const std::string page = gallery_page(
      std::filesystem::path(model).filename().string(),
      "Prototypes, features and densities. Patches are from " + images.root + ", split " +
        images.split + ".",
      sections_);
    write_file("report.html", page.data(), page.size());
    return written_;
  }

private:
  void write_classes(const std::vector<int> & classes, const Dataset & images)
  {
    Loader loader(images, loader_for_model(checkpoint_.manifest));
    const PatchesAndFeatures found = gather_patches_and_features(
      *checkpoint_.network, loader, visual::kNearPatches, kMostFeatures,
      shown_as(progress_, "patches and features"));
    count_broken(loader);
    const Progress progress = shown_as(progress_, "pictures of classes");
    std::int64_t done = 0;
    for (const int c : classes) {
      const std::string & name = checkpoint_.manifest.classes[c];
      const std::string file = file_name(name);
      sections_.push_back({display_name(name), {}});
      add_picture(
        "gallery_" + file,
        "Prototypes of " + display_name(name) + " and the patches nearest to them",
        gallery(c, images, found));
      if (options_.map != FeatureMap::none) {
        add_picture(
          "map_" + file, "Map of the features and prototypes of " + display_name(name),
          map(c, found));
      }
      progress(++done, static_cast<std::int64_t>(classes.size()));
    }
  }

  cv::Mat gallery(int class_id, const Dataset & images, const PatchesAndFeatures & found)
  {
    const GaussianHead & head = checkpoint_.network->gaussian_head();
    const auto [begin, end] = head.range_of(class_id);
    std::vector<visual::GalleryPrototype> prototypes;
    for (std::int64_t k = begin; k < end; ++k) {
      visual::GalleryPrototype prototype;
      prototype.number = static_cast<int>(k);
      prototype.place = static_cast<std::size_t>(k - begin);
      prototype.prior = head.priors[k].item<double>();
      prototype.source = training_patch(checkpoint_.manifest, k);
      // Beside a patch that has nothing around it stand others that have nothing, either.
      const bool with_context = prototype.source.pixels.empty() || !prototype.source.box.empty();
      for (const PatchCandidate & patch : found.nearest[k]) {
        prototype.nearest.push_back(near_patch(images, patch, with_context));
      }
      prototypes.push_back(std::move(prototype));
    }
    std::stable_sort(prototypes.begin(), prototypes.end(), [](const auto & a, const auto & b) {
      return a.prior > b.prior;
    });
    return visual::prototype_gallery(
      display_name(checkpoint_.manifest.classes[class_id]),
      "Prototypes by falling prior; nearest among " + std::to_string(found.images[class_id]) +
        " images of the class (" + images.split +
        "), h: likelihood, 1 where nothing differs; kappa = " +
        visual::number(head.concentration()),
      prototypes);
  }

  cv::Mat map(int class_id, const PatchesAndFeatures & found)
  {
    const GaussianHead & head = checkpoint_.network->gaussian_head();
    const auto [begin, end] = head.range_of(class_id);
    const torch::Tensor & features = found.features[class_id];  // [N, D]
    const torch::Tensor all = torch::cat({features, head.means.slice(0, begin, end)});
    const bool tsne = options_.map == FeatureMap::tsne;
    const torch::Tensor plane = tsne ? tsne_plane(all) : pca_plane(all);  // [N + M, 2]
    const torch::Tensor place = nearest(features, class_id);
    const auto at = [&](std::int64_t row, std::int64_t group) {
      const double * point = plane.data_ptr<double>() + 2 * row;
      return visual::ScatterPoint{point[0], point[1], static_cast<std::size_t>(group)};
    };
    visual::Scatter scatter;
    scatter.title = display_name(checkpoint_.manifest.classes[class_id]);
    scatter.caption = std::to_string(features.size(0)) + " features of " +
                      std::to_string(found.images[class_id]) +
                      " images in the colour of the nearest prototype; numbered: prototypes; " +
                      (tsne ? "t-SNE" : "PCA");
    for (std::int64_t i = 0; i < features.size(0); ++i) {
      scatter.points.push_back(at(i, place[i].item<std::int64_t>()));
    }
    for (std::int64_t k = begin; k < end; ++k) {
      scatter.marks.push_back({at(features.size(0) + k - begin, k - begin), std::to_string(k)});
    }
    return visual::scatter_picture(scatter);
  }

  /// The place in the class of the nearest prototype, for each feature [N].
  torch::Tensor nearest(const torch::Tensor & features, int class_id) const
  {
    return torch::cdist(features, checkpoint_.network->gaussian_head().means_of(class_id))
      .argmin(1);
  }

  void write_densities(
    const Dataset & test, const std::optional<Dataset> & calibration,
    const std::map<std::string, Dataset> & ood)
  {
    SetScores log_density;
    log_density.test = log_densities("test images", test);
    if (calibration) {
      log_density.calibration = log_densities("calibration images", *calibration);
    }
    for (const auto & [name, dataset] : ood) {
      log_density.ood[name] = log_densities(name, dataset);
    }
    std::optional<double> threshold;  // of log p(x), where that decides
    if (const auto & known = checkpoint_.manifest.calibration;
        known && criterion_of(*known) == Criterion::log_density) {
      threshold = threshold_for(*known);
    }
    visual::DensityHistograms histograms = density_histograms(log_density, threshold);
    for (visual::DensityHistogram & set : histograms.sets) {
      if (!set.to_reject && set.name == "test") {
        set.name = test.split + " images";
      }
    }
    if (!histograms.sets.empty()) {
      sections_.push_back({"Known or unknown", {}});
      add_picture(
        "densities.png", "Histograms of log p(x) of each set of images, and the threshold",
        visual::density_picture(histograms));
    }
  }

  std::vector<double> log_densities(const std::string & what, const Dataset & dataset)
  {
    Loader loader(dataset, loader_for_model(checkpoint_.manifest));
    const ImageOutputs outputs = collect(*checkpoint_.network, loader, shown_as(progress_, what));
    count_broken(loader);
    return log_density(outputs);
  }

  void count_broken(const Loader & loader)
  {
    written_.broken += static_cast<std::int64_t>(loader.broken().size());
  }

  /// A file's name that no other class has.
  std::string file_name(const std::string & class_name)
  {
    std::string name = class_name.substr(0, kLongestName);
    std::replace_if(
      name.begin(), name.end(),
      [](unsigned char c) { return std::isalnum(c) == 0 && c != '.' && c != '-'; }, '_');
    while (!file_names_.insert(name).second) {
      name += '_';
    }
    return name + ".png";
  }

  void add_picture(
    const std::string & file, const std::string & description, const cv::Mat & picture)
  {
    PagePicture shown{description, {}};
    cv::imencode(".png", picture, shown.png, {cv::IMWRITE_PNG_COMPRESSION, 6});
    write_file(file, shown.png.data(), shown.png.size());
    sections_.back().pictures.push_back(std::move(shown));
  }

  void write_file(const std::string & name, const void * data, std::size_t size)
  {
    const std::string path = directory_ + "/" + name;
    write_atomically(path, {{data, size}});
    written_.files.push_back(path);
  }

  const Checkpoint checkpoint_;
  const GalleryOptions & options_;
  const std::string & directory_;
  const StepProgress & progress_;
  std::set<std::string> file_names_;
  std::vector<PageSection> sections_;
  WrittenGallery written_;
};

}  // namespace

WrittenGallery write_gallery(
  const std::string & model, const GalleryOptions & options, const std::string & directory,
  const StepProgress & progress)
{
  const torch::NoGradGuard no_grad;
  return Gallery(model, options, directory, progress).write(model);
}

}  // namespace mgproto
