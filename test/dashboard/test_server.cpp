// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

// The dashboard as browsers meet it, over real connections. What the page makes of it is checked in
// a real browser by in_browser.sh.

#include <gtest/gtest.h>

#include <chrono>
#include <limits>
#include <memory>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "dashboard/server.hpp"
#include "dashboard/viewers.hpp"
#include "mgproto_ros/error.hpp"

namespace mgproto::dashboard
{
namespace
{

using nlohmann::json;
using SteadyClock = std::chrono::steady_clock;

Server::Options any_port()
{
  Server::Options options;
  options.port = 0;
  return options;
}

Prediction prediction_of(const std::string & camera, int frame = 1)
{
  Prediction prediction;
  prediction.camera = camera;
  prediction.stamp = {frame, 500};
  prediction.status = Verdict::known;
  prediction.class_name = "robin";
  prediction.posterior = 0.75;
  prediction.log_density = -2.0;
  prediction.scores = {{3, "robin", 0.75, -0.5}, {1, "wren", 0.25, -1.5}};
  prediction.evidence = {{7, 3, 0.5, 0.8, -0.2, 0.4, 10, 20, {1, 2, 30, 40}}};
  prediction.model_id = "birds";
  return prediction;
}

std::vector<std::uint8_t> bytes(const std::string & text) { return {text.begin(), text.end()}; }

bool has_prediction(const json & news)
{
  return !news["cameras"].empty() && news["cameras"][0].contains("prediction");
}

class ServerTest : public ::testing::Test
{
protected:
  httplib::Result get(const std::string & path, const httplib::Headers & headers = {})
  {
    return httplib::Client("127.0.0.1", server_.port()).Get(path, headers);
  }
  int status_of(const std::string & path, const httplib::Headers & headers = {})
  {
    const httplib::Result result = get(path, headers);
    return result ? result->status : -1;
  }

  Server server_{any_port()};
};

TEST_F(ServerTest, ThePageLetsNothingForeignIn)
{
  const httplib::Result page = get("/");

  ASSERT_TRUE(page);
  EXPECT_EQ(page->status, 200);
  const std::string policy = page->get_header_value("Content-Security-Policy");
  EXPECT_EQ(policy.find("default-src 'none'; script-src 'self';"), 0u);
  EXPECT_EQ(policy.find("unsafe"), std::string::npos);
  EXPECT_FALSE(page->has_header("Access-Control-Allow-Origin"));
  EXPECT_EQ(page->get_header_value("X-Content-Type-Options"), "nosniff");
  EXPECT_EQ(page->body.find("://"), std::string::npos) << "the page names another site";
}

/// The names of files that stand in quotes in a page or script of ours.
std::vector<std::string> files_named_in(const std::string & text)
{
  std::vector<std::string> files;
  for (std::size_t begin = 0; (begin = text.find_first_of("\"'", begin)) != std::string::npos;) {
    const std::size_t end = text.find(text[begin], begin + 1);
    std::string name = text.substr(begin + 1, end - begin - 1);
    name.erase(0, name.rfind("./", 0) == 0 ? 2 : 0);
    const std::size_t point = name.find_last_of('.');
    const std::string ending = point == std::string::npos ? "" : name.substr(point);
    if (ending == ".js" || ending == ".css" || ending == ".svg") {
      files.push_back(name);
    }
    ++begin;
  }
  return files;
}

TEST_F(ServerTest, EverythingThatThePageAndItsScriptsLoadIsThere)
{
  std::set<std::string> loaded;
  std::vector<std::string> files{""};
  while (!files.empty()) {
    const std::string name = files.back();
    files.pop_back();
    if (!loaded.insert(name).second) {
      continue;
    }
    const httplib::Result file = get("/" + name);
    ASSERT_TRUE(file) << name;
    EXPECT_EQ(file->status, 200) << name;
    for (const std::string & next : files_named_in(name == "chart.js" ? "" : file->body)) {
      files.push_back(next);
    }
  }
  EXPECT_EQ(loaded.size(), 19u);
}

TEST_F(ServerTest, FirstNewsAreEverythingThatWasShownBefore)
{
  server_.show(prediction_of("front"));
  server_.show_overlay("front", {1, 500}, bytes("picture"), 640, 480);
  server_.show_gallery("birds", {{7, 3, "robin", 0.5, bytes("patch"), "robin.png"}});
  server_.show_health({{1, "perception", "slow", {{"rate", "2"}}}});

  const json news = Viewer(server_.port()).first();

  EXPECT_EQ(news["title"], "mgproto");
  const json camera = news["cameras"][0];
  EXPECT_EQ(camera["name"], "front");
  EXPECT_EQ(camera["prediction"]["sec"], 1);
  EXPECT_EQ(camera["prediction"]["nanosec"], 500);
  const json region = camera["prediction"]["regions"][0];
  EXPECT_EQ(region["status"], "known");
  EXPECT_EQ(region["class_name"], "robin");
  EXPECT_EQ(region["scores"][1]["posterior"], 0.25);
  EXPECT_EQ(region["evidence"][0]["box"], (json{1, 2, 30, 40}));
  EXPECT_EQ(camera["picture"]["source_width"], 640);
  EXPECT_EQ(camera["points"].size(), 1u);
  EXPECT_EQ(news["galleries"][0]["model_id"], "birds");
  EXPECT_EQ(news["health"][0]["status"]["values"][0], (json{"rate", "2"}));
}

TEST_F(ServerTest, LaterNewsAreOnlyWhatChanged)
{
  server_.show(prediction_of("front"));
  server_.show(prediction_of("rear"));
  Viewer viewer(server_.port());
  ASSERT_FALSE(viewer.first().is_null());

  server_.show_health({{0, "perception", "fine", {}}});

  const json news = viewer.wait_for([](const json & one) { return !one["health"].empty(); });
  ASSERT_FALSE(news.is_null());
  EXPECT_FALSE(news.contains("title"));
  EXPECT_TRUE(news["cameras"].empty());
}

TEST_F(ServerTest, CamerasThatAreWaitedForAreNamedFromTheStart)
{
  Server::Options options = any_port();
  options.cameras = {"front", "rear"};
  const Server server(options);

  const json news = Viewer(server.port()).first();

  ASSERT_EQ(news["cameras"].size(), 2u);
  EXPECT_EQ(news["cameras"][1], (json{{"name", "rear"}}));
}

TEST_F(ServerTest, NumbersThatAreNotFiniteAreNull)
{
  Prediction prediction = prediction_of("front");
  prediction.posterior = std::numeric_limits<double>::quiet_NaN();
  prediction.log_density = -std::numeric_limits<double>::infinity();
  prediction.threshold = std::numeric_limits<double>::quiet_NaN();
  prediction.evidence[0].contribution = std::numeric_limits<double>::quiet_NaN();
  server_.show(prediction);

  const json camera = Viewer(server_.port()).first()["cameras"][0];

  const json region = camera["prediction"]["regions"][0];
  for (const char * name : {"posterior", "log_density", "threshold"}) {
    EXPECT_TRUE(region[name].is_null()) << name;
  }
  EXPECT_TRUE(region["evidence"][0]["contribution"].is_null());
  EXPECT_TRUE(camera["points"][0][1].is_null());
}

TEST_F(ServerTest, NoTextOfAMessageCanBreakOutOfItsString)
{
  const std::string nasty = "</script>\"}]\n\ndata: {}\r\n\r\nevent: news\\ \x01 \u2028 <b>&amp;";
  Prediction prediction = prediction_of("front");
  prediction.class_name = nasty;
  prediction.reason = "broken \xff UTF-8";
  prediction.frame_id = std::string(100000, 'x');
  server_.show(prediction);

  Viewer viewer(server_.port());
  const json news = viewer.first();

  ASSERT_TRUE(has_prediction(news));
  const json region = news["cameras"][0]["prediction"]["regions"][0];
  EXPECT_EQ(region["class_name"], nasty);
  EXPECT_EQ(region["reason"], "broken \xef\xbf\xbd UTF-8");
  EXPECT_LE(region["frame_id"].get<std::string>().size(), 1000u);
  EXPECT_EQ(viewer.news().size(), 1u);
}

TEST_F(ServerTest, OverlaysAreServedUnderTheNumberThatNewsGiveThem)
{
  const std::string camera = "/robot 1/50%/front\u00fc";
  const std::string url = "/cameras/%2Frobot%201%2F50%25%2Ffront%C3%BC/overlay.jpg";
  server_.show_overlay(camera, {1, 0}, bytes("first"));
  server_.show_overlay(camera, {2, 0}, bytes("second"));
  const json picture = Viewer(server_.port()).first()["cameras"][0]["picture"];
  const auto seq = picture["seq"].get<int>();

  EXPECT_EQ(get(url + "?seq=" + std::to_string(seq))->body, "second");
  EXPECT_EQ(get(url + "?seq=" + std::to_string(seq - 1))->body, "first");
  EXPECT_EQ(get(url)->body, "second");
  EXPECT_EQ(get(url)->get_header_value("Content-Type"), "image/jpeg");
  EXPECT_EQ(status_of(url + "?seq=99999"), 404);
  EXPECT_EQ(status_of("/cameras/rear/overlay.jpg"), 404);
}

TEST_F(ServerTest, PatchesAreThoseOfTheModelAndOfItsLatestGallery)
{
  server_.show_gallery("birds", {{7, 3, "robin", 0.5, bytes("old"), "old.png"}});
  server_.show_gallery("fish", {{7, 0, "cod", 0.5, bytes("cod"), "cod.png"}});
  Viewer viewer(server_.port());
  const auto version = viewer.first()["galleries"][0]["version"].get<int>();

  server_.show_gallery(
    "birds", {{7, 3, "robin", 0.5, bytes("new"), "new.png"}, {8, 3, "robin", 0.5, {}, ""}});

  const json news = viewer.wait_for(
    [](const json & one) { return !one.contains("title") && !one["galleries"].empty(); });
  ASSERT_FALSE(news.is_null());
  EXPECT_GT(news["galleries"][0]["version"].get<int>(), version);
  EXPECT_EQ(get("/prototypes/7.jpg?model=birds")->body, "new");
  EXPECT_EQ(get("/prototypes/7.jpg?model=fish")->body, "cod");
  EXPECT_EQ(status_of("/prototypes/8.jpg?model=birds"), 404);
  EXPECT_EQ(status_of("/prototypes/7.jpg?model=cats"), 404);
  EXPECT_EQ(status_of("/prototypes/99999999999999999999.jpg?model=birds"), 404);
  const json gallery = json::parse(get("/gallery.json?model=birds")->body);
  EXPECT_EQ(gallery[0]["source"], "new.png");
  EXPECT_EQ(gallery[1]["has_patch"], false);
  EXPECT_EQ(status_of("/gallery.json?model=cats"), 404);
}

TEST_F(ServerTest, EachStatusOfHealthTakesThePlaceOfItsPredecessor)
{
  server_.show_health({{0, "a", "fine", {}}, {0, "b", "fine", {}}});
  server_.show_health({{2, "b", "broken", {}}});

  const json health = Viewer(server_.port()).first()["health"];

  ASSERT_EQ(health.size(), 2u);
  EXPECT_EQ(health[1]["status"]["message"], "broken");
}

TEST_F(ServerTest, TrustIsToldWithItsLastMinuteAndThenWhatChanged)
{
  server_.show_trust({"/trust_gate", true, 100, "", 0.5});
  server_.show_trust({"/trust_gate", false, 20, "/ood: silent for 1.3 s", 0.5});
  server_.show_trust({"/other", true, std::numeric_limits<double>::quiet_NaN(), "", 0.5});
  Viewer viewer(server_.port());

  const json gates = viewer.first()["gates"];
  ASSERT_EQ(gates.size(), 2u);
  EXPECT_EQ(gates[0]["trust"]["gate"], "/other");
  EXPECT_TRUE(gates[0]["trust"]["speed_limit"].is_null());
  EXPECT_EQ(gates[1]["trust"]["trusted"], false);
  EXPECT_EQ(gates[1]["trust"]["speed_limit"], 20);
  EXPECT_EQ(gates[1]["trust"]["reason"], "/ood: silent for 1.3 s");
  ASSERT_EQ(gates[1]["points"].size(), 2u);
  EXPECT_GE(gates[1]["points"][0][0], 0);
  EXPECT_EQ(gates[1]["points"][0][1], true);
  EXPECT_EQ(gates[1]["points"][1][2], 20);

  server_.show_trust({"/trust_gate", true, 100, "", 0.5});
  const json later =
    viewer.wait_for([](const json & one) { return one["gates"].size() == 1; })["gates"];
  ASSERT_EQ(later.size(), 1u);
  EXPECT_EQ(later[0]["points"].size(), 1u);
}

TEST_F(ServerTest, GatesBeyondAllMeasureAreNotKept)
{
  server_.show_trust({std::string(1000, 'x'), true, 100, "", 0.5});
  for (int gate = 0; gate < 20; ++gate) {
    server_.show_trust({"/gate_" + std::to_string(gate), true, 100, "", 0.5});
  }
  for (int word = 0; word < 2000; ++word) {
    server_.show_trust({"/gate_1", true, 100, "", 0.5});
  }

  const json gates = Viewer(server_.port()).first()["gates"];
  ASSERT_EQ(gates.size(), 8u);
  EXPECT_EQ(gates[1]["points"].size(), 1200u);
}

TEST_F(ServerTest, TheSeventeenthViewerIsRefusedUntilOneLeaves)
{
  std::vector<std::unique_ptr<Viewer>> viewers;
  for (int i = 0; i < 16; ++i) {
    viewers.push_back(std::make_unique<Viewer>(server_.port()));
    ASSERT_FALSE(viewers.back()->first().is_null());
  }
  EXPECT_EQ(status_of("/events"), 503);
  EXPECT_EQ(status_of("/"), 200);

  viewers.pop_back();

  bool admitted = false;
  for (int attempt = 0; attempt < 20 && !admitted; ++attempt) {
    const Viewer next(server_.port());
    std::this_thread::sleep_for(std::chrono::milliseconds(200));
    admitted = !next.news().empty();
  }
  EXPECT_TRUE(admitted);
}

TEST_F(ServerTest, OtherHostNamesAreRefused)
{
  EXPECT_EQ(status_of("/", {{"Host", "evil.example"}}), 403);
  EXPECT_EQ(status_of("/events", {{"Host", "evil.example:8080"}}), 403);
  EXPECT_EQ(status_of("/", {{"Host", "localhost:9000"}}), 200);
}

TEST_F(ServerTest, OtherSitesPagesAreRefusedButTheirLinksAreNot)
{
  EXPECT_EQ(status_of("/events", {{"Sec-Fetch-Site", "cross-site"}}), 403);
  EXPECT_EQ(status_of("/", {{"Sec-Fetch-Site", "same-site"}, {"Sec-Fetch-Mode", "no-cors"}}), 403);
  EXPECT_EQ(status_of("/", {{"Sec-Fetch-Site", "same-origin"}}), 200);
  EXPECT_EQ(
    status_of("/", {{"Sec-Fetch-Site", "cross-site"}, {"Sec-Fetch-Mode", "navigate"}}), 200);
}

TEST_F(ServerTest, ItCanOnlyBeRead)
{
  httplib::Client client("127.0.0.1", server_.port());

  EXPECT_EQ(client.Post("/")->status, 405);
  EXPECT_EQ(client.Delete("/cameras/front/overlay.jpg")->status, 405);
  EXPECT_EQ(client.Options("/")->status, 405);
  EXPECT_EQ(status_of("/../../etc/passwd"), 404);
}

TEST_F(ServerTest, APortInUseIsAnErrorThatNamesIt)
{
  Server::Options options;
  options.port = server_.port();
  try {
    const Server second(options);
    FAIL() << "two servers share a port";
  } catch (const Error & error) {
    EXPECT_EQ(
      error.what(), "port " + std::to_string(options.port) +
                      " on 127.0.0.1: is already in use; expected a free one");
  }
}

TEST_F(ServerTest, AddressesAndPortsThatDoNotExistAreErrors)
{
  Server::Options options = any_port();
  options.address = "203.0.113.1";
  EXPECT_THROW(Server{options}, Error);
  options = any_port();
  options.port = 70000;
  EXPECT_THROW(Server{options}, ConfigError);
}

TEST_F(ServerTest, AViewerWhoDoesNotReadHoldsNobodyUp)
{
  const SilentConnection sleeper(server_.port(), "GET /events HTTP/1.1\r\nHost: localhost\r\n\r\n");
  Viewer viewer(server_.port());
  ASSERT_FALSE(viewer.first().is_null());
  Prediction prediction = prediction_of("front");
  prediction.reason = std::string(1000, 'r');

  const auto begin = SteadyClock::now();
  for (int frame = 0; frame < 1000; ++frame) {
    prediction.stamp.sec = frame;
    server_.show(prediction);
  }
  EXPECT_LT(SteadyClock::now() - begin, std::chrono::seconds(5));

  const json newest = viewer.wait_for([](const json & one) {
    return has_prediction(one) && one["cameras"][0]["prediction"]["sec"] == 999;
  });
  EXPECT_FALSE(newest.is_null());
  EXPECT_LT(viewer.news().size(), 500u) << "news that are not told in time are skipped";
}

TEST_F(ServerTest, StopEndsEveryKindOfConnectionWithinASecond)
{
  const std::string host = "Host: localhost\r\n";
  const Viewer first(server_.port());
  const Viewer second(server_.port());
  const SilentConnection unused(server_.port(), "");
  const SilentConnection unfinished(server_.port(), "GET / HTTP/1.1\r\nHo");
  const SilentConnection kept_alive(server_.port(), "GET / HTTP/1.1\r\n" + host + "\r\n");
  server_.show_overlay("front", {}, std::vector<std::uint8_t>(30u * 1024 * 1024, 1));
  const SilentConnection not_reading(
    server_.port(), "GET /cameras/front/overlay.jpg HTTP/1.1\r\n" + host + "\r\n");
  ASSERT_FALSE(first.first().is_null());
  ASSERT_FALSE(second.first().is_null());
  std::this_thread::sleep_for(std::chrono::milliseconds(100));

  const auto begin = SteadyClock::now();
  server_.stop();

  EXPECT_LT(SteadyClock::now() - begin, std::chrono::seconds(1));
  EXPECT_EQ(status_of("/"), -1);
}

TEST_F(ServerTest, TheNextServerCanHaveThePortAtOnce)
{
  Server::Options options;
  options.port = server_.port();
  {
    const Viewer viewer(server_.port());
    ASSERT_FALSE(viewer.first().is_null());
    server_.stop();
  }

  Server next(options);
  next.show(prediction_of("front"));

  EXPECT_TRUE(has_prediction(Viewer(next.port()).first()));
  server_.show(prediction_of("front"));  // is without effect, and harmless
}

TEST_F(ServerTest, CamerasAndPicturesBeyondAllMeasureAreNotKept)
{
  for (int i = 0; i < 100; ++i) {
    server_.show(prediction_of("camera " + std::to_string(i)));
  }
  server_.show(prediction_of(std::string(10000, 'x')));
  server_.show_overlay("camera 0", {}, {});
  server_.show_overlay("camera 0", {}, std::vector<std::uint8_t>(40u * 1024 * 1024));

  EXPECT_EQ(Viewer(server_.port()).first()["cameras"].size(), 16u);
  EXPECT_EQ(status_of("/cameras/camera%200/overlay.jpg"), 404);
}

/// A dashboard of one node that can be taught, and what reaches that.
class TeachingTest : public ::testing::Test
{
protected:
  explicit TeachingTest(const Server::Options & options = any_port()) : server_(options)
  {
    server_.set_teacher([this](const TeachRequest & request) { asked_.push_back(request); });
  }

  std::string token()
  {
    const httplib::Result answer =
      httplib::Client("127.0.0.1", server_.port()).Get("/teaching.json");
    const json teaching = json::parse(answer->body);
    return teaching["token"].is_null() ? "" : teaching["token"].get<std::string>();
  }
  int post(
    const httplib::Headers & headers,
    const std::string & body =
      R"({"action":"teach","node":"/n","id":"1","name":"cup","images":[3]})")
  {
    const httplib::Result answer = httplib::Client("127.0.0.1", server_.port())
                                     .Post("/teach", headers, body, "application/json");
    return answer ? answer->status : -1;
  }

  std::vector<TeachRequest> asked_;
  Server server_;
};

TEST_F(TeachingTest, WhatThePageAsksReachesTheTeacher)
{
  const std::string host = "127.0.0.1:" + std::to_string(server_.port());

  EXPECT_EQ(post({{"X-Mgproto-Token", token()}, {"Origin", "http://" + host}}), 202);
  EXPECT_EQ(post({{"X-Mgproto-Token", token()}}, R"({"action":"undo","node":"/n","id":"2"})"), 202);

  ASSERT_EQ(asked_.size(), 2u);
  EXPECT_EQ(asked_[0].node, "/n");
  EXPECT_EQ(asked_[0].name, "cup");
  EXPECT_EQ(asked_[0].images, std::vector<std::uint32_t>{3});
  EXPECT_EQ(asked_[1].action, TeachRequest::Action::undo);
}

TEST_F(TeachingTest, OthersSitesAndOldPagesAreRefused)
{
  EXPECT_EQ(token().size(), 32u);
  EXPECT_EQ(post({}), 403);
  EXPECT_EQ(post({{"X-Mgproto-Token", std::string(32, '0')}}), 403);
  EXPECT_EQ(post({{"X-Mgproto-Token", token()}, {"Origin", "http://evil.example"}}), 403);
  EXPECT_EQ(post({{"X-Mgproto-Token", token()}, {"Origin", "null"}}), 403);
  EXPECT_EQ(post({{"X-Mgproto-Token", token()}, {"Sec-Fetch-Site", "cross-site"}}), 403);
  EXPECT_EQ(post({{"X-Mgproto-Token", token()}, {"Host", "evil.example"}}), 403);
  EXPECT_TRUE(asked_.empty());
}

TEST_F(TeachingTest, WhatIsNoRequestIsRefused)
{
  const httplib::Headers headers{{"X-Mgproto-Token", token()}};
  for (const std::string body :
       {"", "{", "[]", "7", R"({"action":"sing","node":"/n","id":"1"})", R"({"action":"teach"})",
        R"({"action":"teach","node":"/n","id":"1","images":["a"]})",
        R"({"action":"teach","node":7,"id":"1"})"}) {
    EXPECT_EQ(post(headers, body), 400) << body;
  }
  EXPECT_EQ(post(headers, std::string(100000, '[')), 413);
  EXPECT_TRUE(asked_.empty());
  server_.set_teacher([](const TeachRequest &) { throw Error("no node /n"); });
  EXPECT_EQ(post(headers), 400);
}

TEST_F(TeachingTest, WithoutATeacherThePageIsReadOnly)
{
  const std::string before = token();
  server_.set_teacher({});

  EXPECT_EQ(token(), "");
  EXPECT_EQ(post({{"X-Mgproto-Token", before}}), 403);
}

class ReadOnlyTest : public TeachingTest
{
protected:
  static Server::Options read_only()
  {
    Server::Options options = any_port();
    options.may_teach = false;
    return options;
  }
  ReadOnlyTest() : TeachingTest(read_only()) {}
};

TEST_F(ReadOnlyTest, NothingCanBeTaught)
{
  EXPECT_EQ(token(), "");
  EXPECT_EQ(post({}), 403);
  EXPECT_TRUE(asked_.empty());
}

TEST_F(ServerTest, AlbumsAndAnswersAreNews)
{
  Album album;
  album.node = "/robot/mgproto";
  album.images = {{7, 2, "front", "wren", "unlike anything", bytes("jpeg of 7")}};
  album.taught = {"cup"};
  album.can_undo = true;
  Viewer viewer(server_.port());
  viewer.first();
  server_.show_album(album);
  server_.show_answer({album.node, "request 1", true, "learnt"});

  const json news = viewer.wait_for([](const json & all) { return !all["albums"].empty(); });
  const json answers = viewer.wait_for([](const json & all) { return !all["answers"].empty(); });

  EXPECT_EQ(news["albums"][0]["node"], "/robot/mgproto");
  EXPECT_EQ(news["albums"][0]["images"][0]["id"], 7);
  EXPECT_EQ(news["albums"][0]["images"][0]["group"], 2);
  EXPECT_EQ(news["albums"][0]["taught"][0], "cup");
  EXPECT_EQ(answers["answers"][0]["message"], "learnt");
  EXPECT_TRUE(Viewer(server_.port()).first()["answers"].empty()) << "news of the past";
  EXPECT_EQ(get("/album/7.jpg?node=%2Frobot%2Fmgproto")->body, "jpeg of 7");
  EXPECT_EQ(status_of("/album/8.jpg?node=%2Frobot%2Fmgproto"), 404);
  EXPECT_EQ(status_of("/album/7.jpg?node=other"), 404);
  album.images.clear();
  server_.show_album(album);
  EXPECT_EQ(status_of("/album/7.jpg?node=%2Frobot%2Fmgproto"), 404);
}

}  // namespace
}  // namespace mgproto::dashboard
