// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#include <fcntl.h>
#include <gtest/gtest.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <array>
#include <limits>
#include <numeric>

#include "contains.hpp"
#include "model/utf8.hpp"
#include "tools/live_table.hpp"
#include "tools/terminal_text.hpp"

namespace mgproto::tools
{
namespace
{

using Clock = LiveTable::Clock;

std::string joined(const std::vector<std::string> & lines)
{
  return std::accumulate(
    lines.begin(), lines.end(), std::string(),
    [](const std::string & text, const std::string & line) { return text + line + "\n"; });
}

Score some_score()
{
  Scoreboard board;
  board.add(Truth{{1, 0}, "known/Plover", ""});
  WatchedPrediction prediction;
  prediction.stamp = {1, 0};
  prediction.status = Verdict::known;
  prediction.class_name = "005.Plover";
  prediction.posterior = 0.987;
  prediction.log_density = -2.171;
  prediction.score = -2.171;
  prediction.threshold = -2.329;
  prediction.latency = 0.0123;
  board.add(prediction);
  board.add(Truth{{2, 0}, "unseen_species/Hawk", ""});
  prediction.stamp = {2, 0};
  prediction.status = Verdict::unknown;
  board.add(prediction);
  board.add(Truth{{3, 0}, "known/Plover", ""});
  prediction.stamp = {3, 0};
  prediction.status = Verdict::known;
  board.add(prediction);
  return board.score();
}

/// What was written to the other end of a pipe or terminal, without waiting for more.
std::string read_now(int descriptor)
{
  fcntl(descriptor, F_SETFL, O_NONBLOCK);
  std::string text;
  std::array<char, 4096> buffer;
  for (ssize_t count; (count = read(descriptor, buffer.data(), buffer.size())) > 0;) {
    text.append(buffer.data(), static_cast<std::size_t>(count));
  }
  return text;
}

TEST(TerminalText, ReplacesControlCharactersAndBytesThatAreNotUtf8)
{
  EXPECT_EQ(terminal_safe("Plover"), "Plover");
  EXPECT_EQ(terminal_safe("K\xC3\xB6nig \xE9\xB3\xA5"), "K\xC3\xB6nig \xE9\xB3\xA5");
  const std::string mark = "\xEF\xBF\xBD";
  EXPECT_EQ(terminal_safe("\033[2J\n"), mark + "[2J" + mark);
  EXPECT_EQ(terminal_safe("\xC2\x9B"), mark);                    // a control of eight bits
  EXPECT_EQ(terminal_safe("a\xFF\xC3"), "a" + mark + mark);      // no lead, no end
  EXPECT_EQ(terminal_safe("\xC0\xAF"), mark + mark);             // longer than it need be
  EXPECT_EQ(terminal_safe("\xED\xA0\x80"), mark + mark + mark);  // half of a surrogate pair
}

TEST(TerminalText, IsCutAndFilledByColumnsNotBytes)
{
  const std::string bird = "\xE9\xB3\xA5";  // two columns
  EXPECT_EQ(columns(bird + "o\xCC\x88"), 3);
  EXPECT_EQ(left_aligned("ab", 4), "ab  ");
  EXPECT_EQ(right_aligned("\xC3\xB6", 3), "  \xC3\xB6");
  EXPECT_EQ(cut("abcdefgh", 6), "abc...");
  EXPECT_EQ(cut(bird + bird + bird, 6), bird + bird + bird);
  EXPECT_EQ(cut(bird + bird + bird + bird, 6), bird + "...");
  EXPECT_EQ(left_aligned(bird + bird + bird + bird, 6), bird + "... ");
  EXPECT_EQ(cut("abcdef", 2), "ab");
  EXPECT_EQ(cut("abcdef", 0), "");
}

TEST(LiveTable, ShowsTheVerdictTheDensityTheCountsAndTheAddress)
{
  const std::string text = joined(table_lines(some_score(), {80, false, "http://localhost:8080"}));

  for (const char * part :
       {"KNOWN: 005.Plover", "log p(x) -2.171 >= -2.329 (threshold)", "p(c|x) 0.987",
        "in truth: known/Plover", "unseen_species", "100.0 %", "3 frames published", "12.3 ms",
        "dashboard: http://localhost:8080"}) {
    EXPECT_TRUE(contains(text, part)) << part << " is not in\n" << text;
  }
  EXPECT_FALSE(contains(text, "\033"));
}

TEST(LiveTable, ShowsAClassBeforeAndAfterItWasTaught)
{
  Score score = some_score();
  TaughtScore taught{"Kiwi"};
  taught.before.count = 4;
  taught.after.count = taught.after.accepted = taught.after.right = 3;
  score.taught.push_back(taught);

  const std::string table = joined(table_lines(score, {80, false, ""}));
  EXPECT_TRUE(contains(table, "taught: Kiwi")) << table;
  EXPECT_TRUE(contains(table, "before")) << table;
  EXPECT_TRUE(contains(
    table_line(score),
    "Kiwi: before it was taught 100.0 % rejected, then 100.0 % right, 100.0 % accepted"))
    << table_line(score);
}

TEST(LiveTable, ColoursTheVerdict)
{
  Score score = some_score();
  EXPECT_TRUE(contains(table_lines(score, {80, true, ""})[0], "\033[1;32mKNOWN"));

  score.newest->status = Verdict::unknown;
  EXPECT_TRUE(contains(table_lines(score, {80, true, ""})[0], "\033[1;31mUNKNOWN, nearest 005"));

  score.newest->status = Verdict::uncalibrated;
  score.newest->threshold = std::numeric_limits<double>::quiet_NaN();
  const std::string text = joined(table_lines(score, {80, true, ""}));
  EXPECT_TRUE(contains(text, "\033[1;33mNOT CALIBRATED"));
  EXPECT_FALSE(contains(text, "nan")) << text;
}

TEST(LiveTable, HasNoLineWiderThanTheTerminal)
{
  Score score = some_score();
  score.newest->class_name = std::string(500, 'x') + "\xE9\xB3\xA5";
  score.newest_label = "known/\033[31m" + std::string(500, 'y');
  for (const int width : {1, 7, 40, 80, 200}) {
    for (const std::string & line : table_lines(score, {width, false, "http://localhost:8080"})) {
      EXPECT_LE(columns(line), width) << line;
      EXPECT_FALSE(contains(line, "\033"));
    }
  }
}

TEST(LiveTable, IsALineEveryFiveSecondsWhereThereIsNoTerminal)
{
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  LiveTable table(ends[1], "");
  const Clock::time_point begin = Clock::now();

  table.update(Score(), begin);
  EXPECT_EQ(read_now(ends[0]), "");  // there is no prediction to show
  table.update(some_score(), begin + std::chrono::milliseconds(100));
  const std::string first = read_now(ends[0]);
  table.update(some_score(), begin + std::chrono::milliseconds(5000));
  EXPECT_EQ(read_now(ends[0]), "");
  table.update(some_score(), begin + std::chrono::milliseconds(5200));
  const std::string second = read_now(ends[0]);

  EXPECT_TRUE(contains(first, "newest KNOWN: 005.Plover\n")) << first;
  EXPECT_FALSE(contains(first, "\033"));
  EXPECT_EQ(first, second);
  close(ends[0]);
  close(ends[1]);
}

TEST(LiveTable, IsDrawnOverItselfInATerminal)
{
  const int master = posix_openpt(O_RDWR | O_NOCTTY);
  const bool granted = master >= 0 && grantpt(master) == 0 && unlockpt(master) == 0;
  const char * name = granted ? ptsname(master) : nullptr;
  const int terminal = name != nullptr ? open(name, O_RDWR | O_NOCTTY) : -1;
  if (terminal < 0) {
    GTEST_SKIP() << "no terminal can be opened here: is /dev/pts mounted?";
  }
  const winsize size{8, 30, 0, 0};
  ASSERT_EQ(ioctl(terminal, TIOCSWINSZ, &size), 0);
  setenv("TERM", "xterm", 1);
  LiveTable table(terminal, "http://localhost:8080");
  const Clock::time_point begin = Clock::now();

  table.update(some_score(), begin);
  const std::string first = read_now(master);
  EXPECT_FALSE(table.due(begin + std::chrono::milliseconds(100)));
  table.update(some_score(), begin + std::chrono::milliseconds(100));
  EXPECT_EQ(read_now(master), "");
  table.update(some_score(), begin + std::chrono::milliseconds(210));
  const std::string second = read_now(master);

  EXPECT_TRUE(contains(first, "KNOWN: 005.Plover")) << first;
  EXPECT_EQ(second.substr(0, 4), "\033[7A");  // one line fewer than the terminal has
  close(terminal);
  close(master);
}

}  // namespace
}  // namespace mgproto::tools
