// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#include "dds/subscription.hpp"

#include <atomic>
#include <exception>
#include <fastdds/dds/subscriber/DataReaderListener.hpp>
#include <fastdds/dds/subscriber/SampleInfo.hpp>
#include <mutex>
#include <set>
#include <typeindex>
#include <typeinfo>
#include <utility>

#include "dds/participant.hpp"

namespace mgproto::dds
{

namespace fast = eprosima::fastdds::dds;

struct Subscription::Impl : public fast::DataReaderListener
{
  std::shared_ptr<Participant> participant;
  std::string topic;
  Callback callback;
  Warn warn;
  fast::DataReader * reader = nullptr;

  std::mutex callback_mutex;  // held while the callback runs
  Payload newest;             // kept, so that it is allocated once
  bool closed = false;
  std::atomic<int> publishers{0};
  std::atomic<uint64_t> refused{0};
  std::set<std::type_index> reported;

  ~Impl() override
  {
    {
      const std::lock_guard<std::mutex> lock(callback_mutex);
      closed = true;
    }
    if (reader != nullptr) {
      participant->delete_reader(reader);
    }
  }

  // Counted here, because Fast DDS lets who asks it wait for a running callback.
  void on_subscription_matched(
    fast::DataReader *, const fast::SubscriptionMatchedStatus & status) override
  {
    publishers += status.current_count_change;
  }

  void on_data_available(fast::DataReader * source) override
  {
    const std::lock_guard<std::mutex> lock(callback_mutex);
    fast::SampleInfo info;
    while (!closed && source->take_next_sample(&newest, &info) == ReturnCode_t::RETCODE_OK) {
      if (info.valid_data) {
        deliver(newest);
      }
    }
  }

  // Nothing may be thrown into Fast DDS.
  void deliver(const Payload & payload)
  {
    try {
      callback(payload);
    } catch (const std::exception & error) {
      ++refused;
      if (reported.insert(typeid(error)).second) {
        warn(topic + ": message refused: " + error.what());
      }
    }
  }
};

Subscription::Subscription(
  std::shared_ptr<Participant> participant, const std::string & topic, const MessageType & type,
  const Qos & qos, Callback callback, Warn warn)
: impl_(std::make_unique<Impl>())
{
  impl_->participant = std::move(participant);
  impl_->topic = topic;
  impl_->callback = std::move(callback);
  impl_->warn = std::move(warn);
  impl_->reader = impl_->participant->create_reader(topic, type, qos, impl_.get());
}

Subscription::~Subscription() = default;
Subscription::Subscription(Subscription &&) noexcept = default;
Subscription & Subscription::operator=(Subscription &&) noexcept = default;

int Subscription::publisher_count() const { return impl_->publishers; }

uint64_t Subscription::refused_count() const { return impl_->refused; }

const std::string & Subscription::topic() const { return impl_->topic; }

}  // namespace mgproto::dds
