// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#include "dashboard/server.hpp"

#include <atomic>
#include <charconv>
#include <cstdio>
#include <mutex>
#include <random>
#include <string_view>
#include <utility>

#include "dashboard/allowed_host.hpp"
#include "dashboard/board.hpp"
#include "dashboard/event_stream.hpp"
#include "dashboard/http_server.hpp"
#include "dashboard/json_text.hpp"
#include "dashboard_page.hpp"  // generated from src/dashboard/page by cmake/Embed.cmake

namespace mgproto::dashboard
{
namespace
{

using httplib::Request;
using httplib::Response;

constexpr int kViewers = 16;

struct StaticFile
{
  const char * path;
  const char * type;
  std::string_view content;
};

constexpr const char * kHtml = "text/html; charset=utf-8";
constexpr const char * kCss = "text/css; charset=utf-8";
constexpr const char * kScript = "text/javascript; charset=utf-8";
constexpr const char * kJson = "application/json";
constexpr const char * kJpeg = "image/jpeg";

const std::vector<StaticFile> & static_files()
{
  static const std::vector<StaticFile> files{
    {"/", kHtml, dashboard_page::page_html},
    {"/common.css", kCss, dashboard_page::common_css},
    {"/page.css", kCss, dashboard_page::page_css},
    {"/icon.svg", "image/svg+xml", dashboard_page::icon_svg},
    {"/album.js", kScript, dashboard_page::album_js},
    {"/chart.js", kScript, dashboard_page::chart_min_js},
    {"/camera.js", kScript, dashboard_page::camera_js},
    {"/common.js", kScript, dashboard_page::common_js},
    {"/density_chart.js", kScript, dashboard_page::density_chart_js},
    {"/elements.js", kScript, dashboard_page::elements_js},
    {"/evidence.js", kScript, dashboard_page::evidence_js},
    {"/gallery.js", kScript, dashboard_page::gallery_js},
    {"/health.js", kScript, dashboard_page::health_js},
    {"/news.js", kScript, dashboard_page::news_js},
    {"/page.js", kScript, dashboard_page::page_js},
    {"/time_chart.js", kScript, dashboard_page::time_chart_js},
    {"/trust.js", kScript, dashboard_page::trust_js},
    {"/picture.js", kScript, dashboard_page::picture_js},
    {"/verdict.js", kScript, dashboard_page::verdict_js}};
  return files;
}

/// The page loads nothing from elsewhere, runs no script but its own, and is embedded nowhere.
httplib::Headers default_headers()
{
  return {
    {"Content-Security-Policy",
     "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
     "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"},
    {"X-Content-Type-Options", "nosniff"},
    {"X-Frame-Options", "DENY"},
    {"Cross-Origin-Resource-Policy", "same-origin"},
    {"Cross-Origin-Opener-Policy", "same-origin"},
    {"Referrer-Policy", "no-referrer"},
    {"Cache-Control", "no-store"}};
}

/// Asked for by another site's page. A link to the dashboard may be followed from anywhere.
bool is_from_another_site(const Request & request)
{
  const std::string site = request.get_header_value("Sec-Fetch-Site");
  return (site == "cross-site" || site == "same-site") &&
         request.get_header_value("Sec-Fetch-Mode") != "navigate";
}

void refuse(Response & response, int status, const char * reason)
{
  response.status = status;
  response.set_content(std::string(reason) + "\n", "text/plain; charset=utf-8");
}

/// Sends `content`, which `owner` keeps alive, without copying or compressing it.
template <typename Owner>
void send(Response & response, const char * type, std::string_view content, Owner owner)
{
  response.set_content_provider(
    content.size(), type,
    [content, owner = std::move(owner)](
      std::size_t offset, std::size_t length, httplib::DataSink & sink) {
      return sink.write(content.data() + offset, length);
    });
}

void send_picture(Response & response, const std::shared_ptr<const Bytes> & jpeg)
{
  if (!jpeg) {
    refuse(response, 404, "This picture is not there.");
    return;
  }
  const auto * data = reinterpret_cast<const char *>(jpeg->data());
  send(response, kJpeg, std::string_view(data, jpeg->size()), jpeg);
}

/// 0 if it is not a number.
template <typename Number>
Number number_of(const std::string & text)
{
  Number number = 0;
  std::from_chars(text.data(), text.data() + text.size(), number);
  return number;
}

/// Nobody can guess it.
std::string new_token()
{
  std::random_device random;
  std::string token;
  for (int i = 0; i < 4; ++i) {
    char digits[9];
    std::snprintf(digits, sizeof(digits), "%08x", static_cast<unsigned>(random()));
    token += digits;
  }
  return token;
}

}  // namespace

class Server::Implementation
{
public:
  explicit Implementation(const Options & options)
  : options_(options),
    board_(options.title, options.cameras),
    address_(options.address),
    token_(new_token())
  {
    http_.set_default_headers(default_headers());
    http_.set_pre_routing_handler([this](const Request & request, Response & response) {
      return refuse_strangers(request, response) ? httplib::Server::HandlerResponse::Handled
                                                 : httplib::Server::HandlerResponse::Unhandled;
    });
    for (const StaticFile & file : static_files()) {
      http_.Get(file.path, [&file](const Request &, Response & response) {
        send(response, file.type, file.content, nullptr);
      });
    }
    http_.Get("/events", [this](const Request &, Response & response) { send_events(response); });
    http_.Get(
      R"(/cameras/(.+)/overlay\.jpg)", [this](const Request & request, Response & response) {
        const auto seq = number_of<Version>(request.get_param_value("seq"));
        send_picture(response, board_.picture(request.matches[1], seq));
      });
    http_.Get(R"(/prototypes/(\d+)\.jpg)", [this](const Request & request, Response & response) {
      // The address also names the gallery's version, so what it brings stays the same.
      response.headers.erase("Cache-Control");
      response.set_header("Cache-Control", "private, max-age=3600");
      send_picture(
        response,
        board_.patch(request.get_param_value("model"), number_of<int>(request.matches[1])));
    });
    http_.Get("/gallery.json", [this](const Request & request, Response & response) {
      const auto gallery = board_.gallery(request.get_param_value("model"));
      if (gallery) {
        send(response, kJson, *gallery, gallery);
      } else {
        refuse(response, 404, "There is no gallery of this model.");
      }
    });
    http_.Get(R"(/album/(\d+)\.jpg)", [this](const Request & request, Response & response) {
      send_picture(
        response, board_.album_image(
                    request.get_param_value("node"), number_of<std::uint32_t>(request.matches[1])));
    });
    http_.Get("/teaching.json", [this](const Request & request, Response & response) {
      const std::string problem = teaching_problem(request);
      response.set_content(
        "{\"token\":" + (problem.empty() ? json_text(token_) : "null") +
          ",\"problem\":" + json_text(problem) + "}",
        kJson);
    });
    http_.Post(
      "/teach", [this](const Request & request, Response & response) { teach(request, response); });
    port_ = http_.start(address_, options.port);
  }

  void set_teacher(Teacher teacher)
  {
    const std::lock_guard<std::mutex> lock(teaching_);
    teacher_ = std::move(teacher);
  }

  ~Implementation() { stop(); }

  void stop()
  {
    board_.close();
    http_.stop();
  }

  Board & board() { return board_; }
  int port() const { return port_; }

  std::string url() const
  {
    const bool everywhere = address_ == "0.0.0.0" || address_ == "::";
    const bool is_v6 = address_.find(':') != std::string::npos;
    const std::string host = everywhere ? "127.0.0.1" : is_v6 ? "[" + address_ + "]" : address_;
    return "http://" + host + ":" + std::to_string(port_) + "/";
  }

private:
  bool refuse_strangers(const Request & request, Response & response) const
  {
    if (!is_allowed_host(request.get_header_value("Host"), address_)) {
      refuse(response, 403, "This dashboard does not answer to that host name.");
    } else if (is_from_another_site(request)) {
      refuse(response, 403, "This dashboard is not for other sites' pages.");
    } else if (
      request.method != "GET" && request.method != "HEAD" &&
      !(request.method == "POST" && request.path == "/teach")) {
      response.set_header("Allow", "GET, HEAD");
      refuse(response, 405, "This can only be read.");
    } else {
      return false;
    }
    return true;
  }

  /// Why this browser may not teach; empty if it may.
  std::string teaching_problem(const Request & request)
  {
    const std::lock_guard<std::mutex> lock(teaching_);
    if (!options_.may_teach || !teacher_) {
      return "this dashboard is read-only";
    }
    const bool is_here = request.remote_addr == "127.0.0.1" || request.remote_addr == "::1" ||
                         request.remote_addr == "::ffff:127.0.0.1";
    return is_here || options_.may_teach_from_afar
             ? ""
             : "only a browser on the dashboard's own machine may teach";
  }

  /// A page of another site can neither read the token nor send a header of its own, and a browser names
  /// the site that it sends a form from.
  void teach(const Request & request, Response & response)
  {
    const std::string origin = request.get_header_value("Origin");
    if (const std::string problem = teaching_problem(request); !problem.empty()) {
      refuse(response, 403, (problem + ".").c_str());
    } else if (!origin.empty() && origin != "http://" + request.get_header_value("Host")) {
      refuse(response, 403, "This dashboard is not for other sites' pages.");
    } else if (request.get_header_value("X-Mgproto-Token") != token_) {
      refuse(response, 403, "The page is older than this dashboard: load it again.");
    } else {
      try {
        const TeachRequest asked = read_teach_request(request.body);
        const std::lock_guard<std::mutex> lock(teaching_);
        if (teacher_) {
          teacher_(asked);
        }
        response.status = 202;
      } catch (const std::exception & error) {
        refuse(response, 400, error.what());
      }
    }
  }

  void send_events(Response & response)
  {
    if (++viewers_ > kViewers) {
      --viewers_;
      response.set_header("Retry-After", "5");
      refuse(response, 503, "Too many pages of this dashboard are open.");
      return;
    }
    const std::shared_ptr<void> seat(nullptr, [this](void *) { --viewers_; });
    const auto stream = std::make_shared<EventStream>(board_, seat);
    response.set_chunked_content_provider(
      "text/event-stream",
      [stream](std::size_t, httplib::DataSink & sink) { return stream->send_next(sink); });
  }

  const Options options_;
  Board board_;
  std::string address_;
  const std::string token_;
  std::mutex teaching_;
  Teacher teacher_;
  int port_ = 0;
  std::atomic<int> viewers_{0};
  HttpServer http_;  ///< last, because its threads use all of the above
};

Server::Server(const Options & options) : implementation_(std::make_unique<Implementation>(options))
{
}

Server::~Server() = default;

int Server::port() const { return implementation_->port(); }

std::string Server::url() const { return implementation_->url(); }

void Server::show(const Prediction & prediction) { implementation_->board().show(prediction); }

void Server::show_overlay(
  const std::string & camera, Stamp stamp, std::vector<std::uint8_t> jpeg, int source_width,
  int source_height)
{
  auto shared = std::make_shared<const Bytes>(std::move(jpeg));
  implementation_->board().show_overlay(
    camera, {stamp, std::move(shared), source_width, source_height});
}

void Server::show_gallery(const std::string & model_id, std::vector<PrototypePatch> gallery)
{
  implementation_->board().show_gallery(model_id, std::move(gallery));
}

void Server::show_health(const std::vector<Health> & health)
{
  implementation_->board().show_health(health);
}

void Server::show_trust(const Trust & trust) { implementation_->board().show_trust(trust); }

void Server::show_album(Album album) { implementation_->board().show_album(std::move(album)); }
void Server::show_answer(const TeachAnswer & answer)
{
  implementation_->board().show_answer(answer);
}
void Server::set_teacher(Teacher teacher) { implementation_->set_teacher(std::move(teacher)); }

void Server::stop() { implementation_->stop(); }

}  // namespace mgproto::dashboard
