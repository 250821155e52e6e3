// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

// Covers every layout of open_dataset() and every error it promises, and the decoding of images.
// The data are made here. Not covered: the real CUB and CIFAR archives.

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <numeric>
#include <opencv2/imgcodecs.hpp>
#include <string>
#include <vector>

#include "datasets/dataset.hpp"
#include "datasets/image.hpp"
#include "mgproto_ros/error.hpp"

namespace mgproto
{
namespace
{

namespace fs = std::filesystem;

class DatasetTest : public ::testing::Test
{
protected:
  void SetUp() override
  {
    const auto * test = ::testing::UnitTest::GetInstance()->current_test_info();
    dir_ = fs::temp_directory_path() /
           ("mgproto_datasets_" + std::to_string(getpid()) + "_" + test->name());
    fs::create_directories(dir_);
  }
  void TearDown() override { fs::remove_all(dir_); }

  void write(const std::string & name, const std::string & content) const
  {
    fs::create_directories((dir_ / name).parent_path());
    std::ofstream(dir_ / name, std::ios::binary) << content;
  }
  void write_image(const std::string & name, int width = 12, int height = 8) const
  {
    fs::create_directories((dir_ / name).parent_path());
    cv::imwrite((dir_ / name).string(), cv::Mat(height, width, CV_8UC3, cv::Scalar(10, 20, 200)));
  }
  void write_cub() const
  {
    write("classes.txt", "1 001.Crow\n2 002.Blue_Jay\n");
    write(
      "images.txt",
      "1 001.Crow/b.jpg\n2 001.Crow/a.jpg\n3 002.Blue_Jay/c.jpg\n4 002.Blue_Jay/d.jpg\n");
    write("image_class_labels.txt", "1 1\n2 1\n3 2\n4 2\n");
    write("train_test_split.txt", "1 1\n2 0\n3 1\n4 0\n");
    write("bounding_boxes.txt", "1 2.5 1.0 6.0 4.0\n2 0 0 12 8\n3 -3 0 5 5\n4 0.0 0.0 99.0 99.0\n");
    write("parts/parts.txt", "1 beak\n2 left eye\n");
    write("parts/part_locs.txt", "1 1 4.5 3.0 1\n1 2 0.0 0.0 0\n3 2 11.0 7.0 1\n");
    for (const char * name : {"001.Crow/a", "001.Crow/b", "002.Blue_Jay/c", "002.Blue_Jay/d"}) {
      write_image(std::string("images/") + name + ".jpg");
    }
    write_image("segmentations/001.Crow/b.png");
  }
  /// Records of CIFAR's binary form with these labels; the pixels count up from the label.
  void write_cifar(const std::string & name, const std::vector<int> & labels) const
  {
    std::string content;
    for (const int label : labels) {
      content += static_cast<char>(label);
      content += std::string(1024, static_cast<char>(label + 1));
      content += std::string(1024, static_cast<char>(label + 2));
      content += std::string(1024, static_cast<char>(label + 3));
    }
    write(name, content);
  }

  Dataset open(const std::string & split = "train", const DatasetOptions & options = {}) const
  {
    return open_dataset(dir_.string(), split, options);
  }
  /// The message with which opening fails; it must be one line.
  std::string failure(
    const std::string & split = "train", const DatasetOptions & options = {}) const
  {
    return failure_of(dir_.string(), split, options);
  }
  static std::string failure_of(
    const std::string & path, const std::string & split, const DatasetOptions & options = {})
  {
    try {
      open_dataset(path, split, options);
    } catch (const FileError & error) {
      const std::string message = error.what();
      EXPECT_EQ(message.find('\n'), std::string::npos) << message;
      return message;
    }
    return "no error";
  }

  fs::path dir_;
};

std::vector<std::string> names(const Dataset & dataset)
{
  std::vector<std::string> result;
  for (const Sample & sample : dataset.samples) {
    result.push_back(sample.name + "=" + std::to_string(sample.label));
  }
  return result;
}

using Names = std::vector<std::string>;

#define EXPECT_CONTAINS(text, part) \
  EXPECT_NE((text).find(part), std::string::npos) << "message: " << (text)

DatasetOptions evaluation()
{
  DatasetOptions options;
  options.evaluation = true;
  return options;
}

DatasetOptions unlabelled()
{
  DatasetOptions options;
  options.labelled = false;
  return options;
}

TEST_F(DatasetTest, SplitFoldersAreReadInSortedOrder)
{
  for (const char * name : {"train/b/2.jpg", "train/b/10.JPG", "train/a/x/1.png", "test/b/1.jpg"}) {
    write_image(name);
  }
  write("train/a/notes.txt", "not an image");
  write("train/.cache/1.jpg", "hidden");

  const Dataset train = open("train");
  const Dataset test = open("test", evaluation());

  EXPECT_EQ(train.classes, (Names{"a", "b"}));
  EXPECT_EQ(names(train), (Names{"train/a/x/1.png=0", "train/b/10.JPG=1", "train/b/2.jpg=1"}));
  EXPECT_EQ(names(test), (Names{"test/b/1.jpg=1"})) << "labels are those of train/";
  EXPECT_EQ(open("all").size(), 4);
  EXPECT_CONTAINS(failure("val"), "no such split");
}

TEST_F(DatasetTest, PlainFoldersGiveAllImagesForEverySplit)
{
  write_image("bus/1.jpg");
  write_image("train/1.jpg");  // a class of vehicles, not a split

  const Dataset dataset = open("test");

  EXPECT_EQ(dataset.split, "all");
  EXPECT_EQ(dataset.layout, "folders");
  EXPECT_EQ(names(dataset), (Names{"bus/1.jpg=0", "train/1.jpg=1"}));
}

TEST_F(DatasetTest, FlatFoldersAreSearchedRecursivelyAndHaveNoLabels)
{
  write_image("2.jpg");
  write_image("deep/er/1.png");

  const Dataset dataset = open("test", unlabelled());

  EXPECT_TRUE(dataset.classes.empty());
  EXPECT_EQ(names(dataset), (Names{"2.jpg=-1", "deep/er/1.png=-1"}));
}

TEST_F(DatasetTest, AnUnlabelledSetWithSplitsGivesTheSplit)
{
  write_image("train/a/1.jpg");
  write_image("test/a/1.jpg");
  EXPECT_EQ(names(open("test", unlabelled())), (Names{"test/a/1.jpg=-1"}));
  EXPECT_EQ(open("all", unlabelled()).size(), 2);
}

TEST_F(DatasetTest, FoldersThatAreNoDataSetAreRefusedByName)
{
  EXPECT_CONTAINS(failure_of((dir_ / "nowhere").string(), "train"), "nowhere: no such directory");
  EXPECT_CONTAINS(failure(), "looked for images.txt");
  EXPECT_CONTAINS(failure("train", unlabelled()), "no images");
  fs::create_directories(dir_ / "a");
  EXPECT_CONTAINS(failure(), "<class>/ folders with images");
  write_image("a/1.jpg");
  EXPECT_CONTAINS(failure(), "only one class, 'a'");
  EXPECT_EQ(open("test", evaluation()).size(), 1);
  fs::create_directories(dir_ / "b");
  EXPECT_CONTAINS(failure(), "class 'b' has no images");
}

TEST_F(DatasetTest, ATestClassThatTrainingDoesNotKnowIsAnError)
{
  write_image("train/a/1.jpg");
  write_image("train/b/1.jpg");
  write_image("test/c/1.jpg");
  EXPECT_CONTAINS(failure("test", evaluation()), "test/c: this class has no folder in");
}

TEST_F(DatasetTest, NamesThatNoCheckpointCanHoldAreRefusedBeforeTraining)
{
  write_image("train/a/1.jpg");
  write_image("train/b/1.jpg");
  write_image("train/b/K\xF6nig.jpg");
  EXPECT_CONTAINS(failure("train"), "is not UTF-8");
  fs::remove(dir_ / "train/b/K\xF6nig.jpg");
  write_image("train/K\xF6nig/1.jpg");
  EXPECT_CONTAINS(failure("train"), "the name of class 'K\xEF\xBF\xBDnig' is not UTF-8");
}

TEST_F(DatasetTest, GivenClassesDecideTheLabels)
{
  write_image("a/1.jpg");
  write_image("b/1.jpg");
  DatasetOptions options = evaluation();

  options.classes = {"z", "b", "a"};
  EXPECT_EQ(names(open("all", options)), (Names{"a/1.jpg=2", "b/1.jpg=1"}));
  options.classes = {"z", "b"};
  EXPECT_CONTAINS(failure("all", options), "class 'a' of a/1.jpg is not among the 2 classes");
  options.classes = {"a", "b", "a"};
  EXPECT_THROW(open("all", options), ConfigError);
}

TEST_F(DatasetTest, CsvListsKeepTheirOrderAndSplits)
{
  for (const char * name : {"pics/1.jpg", "pics/2.jpg", "pics/3, again.jpg"}) {
    write_image(name);
  }
  write(
    "list.csv",
    "\xEF\xBB\xBFpath,label,split\r\npics/2.jpg,wren,train\r\n\r\n\"pics/3, again.jpg\",\"a "
    "\"\"tit\"\"\",train\r\npics/1.jpg,wren,test\r\n");

  const Dataset train = open("train");

  EXPECT_EQ(train.classes, (Names{"a \"tit\"", "wren"}));
  EXPECT_EQ(names(train), (Names{"pics/2.jpg=1", "pics/3, again.jpg=0"}));
  EXPECT_NO_THROW(read_image(train.samples[1]));
  EXPECT_EQ(names(open("test", evaluation())), (Names{"pics/1.jpg=1"}));
  EXPECT_EQ(open_dataset((dir_ / "list.csv").string(), "all").size(), 3);
  EXPECT_CONTAINS(failure("val"), "no images in split 'val'");
}

TEST_F(DatasetTest, NumbersInACsvAreClassIndices)
{
  write_image("1.jpg");
  std::string list = "path,label\n";
  for (int i = 11; i >= 0; --i) {
    list += "1.jpg," + std::to_string(i) + "\n";
  }
  write("list.csv", list);
  const Dataset dataset = open("train");
  EXPECT_EQ(dataset.split, "all");
  EXPECT_EQ(dataset.classes[10], "10");
  EXPECT_EQ(dataset.samples[0].label, 11);

  DatasetOptions options = evaluation();
  options.classes = Names(12, "x");
  for (int i = 0; i < 12; ++i) {
    options.classes[i] += static_cast<char>('a' + i);
  }
  EXPECT_EQ(open("train", options).samples[0].label, 11) << "an index into the given classes";

  write("list.csv", list + "1.jpg,1000000000000\n");
  EXPECT_CONTAINS(failure(), "list.csv: line 14: label 1000000000000 is out of range");
  write("list.csv", list + "1.jpg,-1\n");
  EXPECT_CONTAINS(failure(), "line 14: label -1 is out of range");
}

TEST_F(DatasetTest, MalformedCsvLinesAreNamedByNumber)
{
  write_image("1.jpg");
  const std::string file = (dir_ / "list.csv").string();
  const auto failure_with = [&](const std::string & content) {
    write("list.csv", content);
    return failure_of(file, "train");
  };
  EXPECT_CONTAINS(
    failure_with("path,label\n1.jpg,a\n1.jpg\n"), "line 3: 1 fields, the header has 2");
  EXPECT_CONTAINS(failure_with("path,label\n\n\n,a\n"), "line 4: the path is empty");
  EXPECT_CONTAINS(failure_with("path,label\n1.jpg,\n"), "line 2: the label is empty");
  EXPECT_CONTAINS(failure_with("path,label\n\"1.jpg,a\n"), "line 2: a quote is not closed");
  EXPECT_CONTAINS(failure_with("path,label\n1.jpg,a\n2.jpg,b\n"), "line 3: no such file: ");
  EXPECT_CONTAINS(failure_with("file,class\n1.jpg,a\n"), "expected a header");
  EXPECT_CONTAINS(failure_with(""), "expected a header");
  EXPECT_CONTAINS(failure_with("path,label\n"), "no images");
  EXPECT_CONTAINS(failure_with("path,label\n1.jpg,a\n"), "only one class, 'a'");
  EXPECT_CONTAINS(
    failure_with("path,label,split\n1.jpg,a,train\n1.jpg,b,test\n"), "class 'b' has no images");
  write("other.csv", "path,label\n1.jpg,a\n");
  EXPECT_CONTAINS(failure(), "several CSV");
}

TEST_F(DatasetTest, CifarBatchesAreReadRecordByRecord)
{
  write("batches.meta.txt", "airplane\nautomobile\nbird\n\n");
  write_cifar("data_batch_1.bin", {2, 0});
  write_cifar("data_batch_2.bin", {1});
  write_cifar("test_batch.bin", {1});

  const Dataset train = open("train");

  EXPECT_EQ(
    names(train), (Names{"data_batch_1.bin:0=2", "data_batch_1.bin:1=0", "data_batch_2.bin:0=1"}));
  const cv::Mat image = read_image(train.samples[0]);
  EXPECT_EQ(image.size(), cv::Size(32, 32));
  EXPECT_EQ(image.at<cv::Vec3b>(31, 31), cv::Vec3b(5, 4, 3)) << "BGR";
  EXPECT_EQ(open("test", evaluation()).size(), 1);
  EXPECT_EQ(open("all").size(), 4);
  EXPECT_CONTAINS(failure("val"), "no split 'val'");
}

TEST_F(DatasetTest, BrokenCifarFilesAreRefused)
{
  write_cifar("data_batch_1.bin", {0, 1, 3});
  EXPECT_CONTAINS(failure(), "batches.meta.txt: cannot be read");
  write("batches.meta.txt", "a\nb\nc\n");
  EXPECT_CONTAINS(failure(), "data_batch_1.bin: record 2: label 3 is out of range");
  EXPECT_CONTAINS(failure("test"), "has no test_batch.bin");
  write_cifar("data_batch_1.bin", {0, 1});
  EXPECT_CONTAINS(failure(), "class 'c' has no images");
  write("batches.meta.txt", "a\nb\na\n");
  EXPECT_CONTAINS(failure(), "class 'a' is named twice");
  write("data_batch_1.bin", "short");
  EXPECT_CONTAINS(failure(), "5 bytes are not whole records");
}

TEST_F(DatasetTest, CubListsGiveSplitPartsBoxesAndMasks)
{
  write_cub();

  const Dataset train = open("train");

  EXPECT_EQ(train.classes, (Names{"001.Crow", "002.Blue_Jay"}));
  EXPECT_EQ(display_name(train.classes[1]), "Blue Jay");
  EXPECT_EQ(names(train), (Names{"images/001.Crow/b.jpg=0", "images/002.Blue_Jay/c.jpg=1"}));
  EXPECT_EQ(train.part_names, (Names{"beak", "left eye"}));
  ASSERT_EQ(train.samples[0].parts.size(), 1u) << "hidden parts are left out";
  EXPECT_EQ(train.samples[0].parts[0].part, 0);
  EXPECT_EQ(train.samples[0].parts[0].x, 4.5);
  EXPECT_EQ(read_mask(train.samples[0]).size(), cv::Size(12, 8));
  EXPECT_TRUE(read_mask(train.samples[1]).empty());
  EXPECT_EQ(train.samples[0].box.value(), (Box{2, 1, 7, 4})) << "whole pixels around 2.5 1 6 4";
  EXPECT_FALSE(train.samples[0].crop);
  fs::remove(dir_ / "bounding_boxes.txt");
  EXPECT_FALSE(open("train").samples[0].box);
  EXPECT_EQ(open("all").size(), 4);
  EXPECT_EQ(names(open("test", unlabelled()))[0], "images/001.Crow/a.jpg=-1");
}

TEST_F(DatasetTest, CubCropsImageMaskAndPartsAlike)
{
  write_cub();
  DatasetOptions options;
  options.crop_to_boxes = true;

  const Dataset train = open("train", options);

  const Sample & crow = train.samples[0];
  EXPECT_EQ(*crow.crop, (Box{2, 1, 7, 4})) << "whole pixels around 2.5 1 6 4";
  EXPECT_FALSE(crow.box) << "all of it is the object";
  EXPECT_EQ(read_image(crow).size(), cv::Size(7, 4));
  EXPECT_EQ(read_mask(crow).size(), cv::Size(7, 4));
  ASSERT_EQ(crow.parts.size(), 1u);
  EXPECT_EQ(crow.parts[0].x, 2.5);
  EXPECT_EQ(crow.parts[0].y, 2.0);
  EXPECT_EQ(read_image(train.samples[1]).size(), cv::Size(2, 5)) << "clamped to the image";
  EXPECT_TRUE(train.samples[1].parts.empty()) << "the part lies outside the box";
  EXPECT_EQ(read_image(open("test", options).samples[1]).size(), cv::Size(12, 8));
}

TEST_F(DatasetTest, BrokenCubListsAreNamedByFileAndLine)
{
  const auto failure_with = [this](const std::string & file, const std::string & content) {
    write_cub();
    write(file, content);
    DatasetOptions options;
    options.crop_to_boxes = true;
    return failure("train", options);
  };
  const std::string labels = "image_class_labels.txt";
  EXPECT_CONTAINS(failure_with(labels, "1 1\n2 3\n"), labels + ": line 2: class 3 is out of range");
  EXPECT_CONTAINS(failure_with(labels, "1 1\n2\n"), "line 2: expected a number");
  EXPECT_CONTAINS(failure_with(labels, "1 one\n"), "line 1: expected 2 numbers");
  EXPECT_CONTAINS(failure_with(labels, "1 1\n9 1\n"), "line 2: image 9 is not in images.txt");
  EXPECT_CONTAINS(failure_with(labels, "1 1\n"), "no label for image 2");
  EXPECT_CONTAINS(failure_with("images.txt", "1 x.jpg\n1 y.jpg\n"), "line 2: image 1 is listed");
  EXPECT_CONTAINS(failure_with("train_test_split.txt", "1 2\n"), "line 1: expected 1 (train)");
  EXPECT_CONTAINS(failure_with("train_test_split.txt", "1 1\n"), "no split for image 2");
  EXPECT_CONTAINS(failure_with("bounding_boxes.txt", "1 0 0 nan 4\n"), "line 1: expected 5");
  EXPECT_CONTAINS(failure_with("bounding_boxes.txt", "1 0 0 0 4\n"), "line 1: the box is empty");
  EXPECT_CONTAINS(failure_with("parts/part_locs.txt", "1 7 1 1 1\n"), "part 7 is out of range");
  EXPECT_CONTAINS(failure_with("classes.txt", "1 a\n2 a\n"), "class 'a' is named twice");
  EXPECT_CONTAINS(failure_with("classes.txt", "1 a\n1 b\n"), "line 2: number 1 is listed twice");
  EXPECT_CONTAINS(failure_with("classes.txt", "1 a\n2 b\n3 c\n"), "class 'c' has no images");
  write_cub();
  fs::remove(dir_ / "images/001.Crow/b.jpg");
  EXPECT_CONTAINS(failure(), "image 1: no such file: ");
  fs::remove(dir_ / "classes.txt");
  EXPECT_CONTAINS(failure(), "classes.txt: cannot be read");
}

TEST_F(DatasetTest, CroppingNeedsBoxes)
{
  write_image("a/1.jpg");
  write_image("b/1.jpg");
  DatasetOptions options;
  options.crop_to_boxes = true;
  EXPECT_THROW(open("all", options), ConfigError);
}

TEST_F(DatasetTest, FrequenciesFollowTheLabels)
{
  write_image("a/1.jpg");
  for (const char * name : {"b/1.jpg", "b/2.jpg", "b/3.jpg"}) {
    write_image(name);
  }
  const Dataset dataset = open();
  EXPECT_EQ(class_counts(dataset), (std::vector<std::int64_t>{1, 3}));
  EXPECT_EQ(class_frequencies(dataset), (std::vector<double>{0.25, 0.75}));
}

TEST_F(DatasetTest, DisplayNamesDropNumbersAndUnderscores)
{
  EXPECT_EQ(display_name("001.Black_footed_Albatross"), "Black footed Albatross");
  EXPECT_EQ(display_name("2CV"), "2CV");
  EXPECT_EQ(display_name("911"), "911");
  EXPECT_EQ(display_name("3."), "3.");
}

TEST_F(DatasetTest, BrokenImagesAreFileErrorsThatNameThem)
{
  write_image("whole.jpg", 200, 200);
  write_image("whole.png", 200, 200);
  const auto cut = [this](const std::string & from, const std::string & to, double share) {
    std::ifstream stream(dir_ / from, std::ios::binary);
    std::string bytes((std::istreambuf_iterator<char>(stream)), std::istreambuf_iterator<char>());
    write(to, bytes.substr(0, static_cast<std::size_t>(static_cast<double>(bytes.size()) * share)));
  };
  write("text.jpg", "not a picture");
  write("empty.jpg", "");
  fs::create_directories(dir_ / "folder.jpg");
  write("tiny.jpg", "\xFF\xD8\xFF\xFF");
  cut("whole.jpg", "half.jpg", 0.8);
  cut("whole.jpg", "head.jpg", 0.1);
  cut("whole.png", "half.png", 0.5);
  for (const char * name :
       {"text.jpg", "empty.jpg", "tiny.jpg", "half.jpg", "head.jpg", "half.png", "gone.jpg",
        "folder.jpg"}) {
    Sample sample;
    sample.file = (dir_ / name).string();
    try {
      read_image(sample);
      ADD_FAILURE() << name << " was read";
    } catch (const FileError & error) {
      EXPECT_CONTAINS(std::string(error.what()), name);
    }
  }
}

TEST_F(DatasetTest, AnImageThatClaimsToBeHugeIsRefusedBeforeItIsDecoded)
{
  // 30000 x 30000 pixels.
  const std::string size("\0\0\x75\x30\0\0\x75\x30", 8);
  write("huge.png", std::string("\x89PNG\r\n\x1A\n\0\0\0\rIHDR", 16) + size + "\x08\x02");
  Sample sample;
  sample.file = (dir_ / "huge.png").string();
  try {
    read_image(sample);
    ADD_FAILURE() << "was read";
  } catch (const FileError & error) {
    EXPECT_CONTAINS(std::string(error.what()), "huge.png: the image claims 30000x30000 pixels");
  }
}

TEST_F(DatasetTest, FormatsWhoseReadersLeaveFilesBehindAreNotRead)
{
  const auto temporary = [] {
    std::size_t count = 0;
    for (const auto & entry : fs::directory_iterator(fs::temp_directory_path())) {
      count += entry.path().filename().string().rfind("__opencv_temp", 0) == 0 ? 1 : 0;
    }
    return count;
  };
  const std::size_t before = temporary();
  write("a.hdr", "#?RADIANCE\nFORMAT=32-bit_rle_rgbe\n\n-Y 4 +X 4\n" + std::string(64, 'x'));
  write("a.pfm", "PF\n4 4\n-1.0\n" + std::string(192, 'x'));
  for (const char * name : {"a.hdr", "a.pfm"}) {
    Sample sample;
    sample.file = (dir_ / name).string();
    EXPECT_THROW(read_image(sample), FileError) << name;
  }
  EXPECT_EQ(temporary(), before);
}

TEST_F(DatasetTest, AJpegWithBytesAfterItsEndIsWhole)
{
  write_image("a.jpg");
  std::ofstream(dir_ / "a.jpg", std::ios::binary | std::ios::app) << "trailing \xFF\xDA bytes";
  Sample sample;
  sample.file = (dir_ / "a.jpg").string();
  EXPECT_EQ(read_image(sample).size(), cv::Size(12, 8));
}

TEST_F(DatasetTest, ExifOrientationIsIgnored)
{
  // An APP1 segment that says "rotate by 90 degrees", put behind the start marker.
  write_image("a.jpg", 12, 8);
  std::ifstream stream(dir_ / "a.jpg", std::ios::binary);
  const std::string bytes(
    (std::istreambuf_iterator<char>(stream)), std::istreambuf_iterator<char>());
  const char exif[] =
    "\xFF\xE1\x00\x22"
    "Exif\x00\x00II*\x00\x08\x00\x00\x00\x01\x00\x12\x01\x03\x00\x01\x00\x00\x00\x06\x00\x00\x00"
    "\x00\x00\x00\x00";
  write("a.jpg", bytes.substr(0, 2) + std::string(exif, sizeof(exif) - 1) + bytes.substr(2));
  ASSERT_EQ(cv::imread((dir_ / "a.jpg").string()).size(), cv::Size(8, 12)) << "OpenCV turns it";
  Sample sample;
  sample.file = (dir_ / "a.jpg").string();
  EXPECT_EQ(read_image(sample).size(), cv::Size(12, 8));
}

TEST_F(DatasetTest, TheImageSourceStaysWithinItsLimit)
{
  write_image("a/1.png", 10, 10);
  write_image("a/2.png", 10, 10);
  write_image("b/1.png", 10, 10);
  const Dataset dataset = open();
  ImageSource source(dataset, 650);  // two images of 300 bytes
  const cv::Mat first = source(0);
  source(1);
  source(2);
  EXPECT_EQ(source.cached_bytes(), 600u);
  EXPECT_EQ(source(0).data, first.data) << "kept";
  fs::remove(dir_ / "b/1.png");
  EXPECT_THROW(source(2), FileError) << "not kept";
}

}  // namespace
}  // namespace mgproto
