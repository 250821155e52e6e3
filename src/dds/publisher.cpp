// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#include "dds/publisher.hpp"

#include <mutex>
#include <vector>

#include "dds/cdr.hpp"
#include "dds/participant.hpp"
#include "dds/payload.hpp"

namespace mgproto::dds
{

struct Publisher::Impl
{
  std::shared_ptr<Participant> participant;
  std::string topic;
  const MessageType & type;
  eprosima::fastdds::dds::DataWriter * writer;
  std::mutex mutex;
  std::vector<uint8_t> buffer;  // kept, so that it is allocated once

  ~Impl() { participant->delete_writer(writer); }

  bool send(const uint8_t * data, size_t size)
  {
    Payload payload{data, size, {}};
    return writer->write(&payload);
  }
};

Publisher::Publisher(
  std::shared_ptr<Participant> participant, const std::string & topic, const MessageType & type,
  const Qos & qos)
{
  auto * writer = participant->create_writer(topic, type, qos);
  impl_.reset(new Impl{std::move(participant), topic, type, writer, {}, {}});
}

Publisher::~Publisher() = default;
Publisher::Publisher(Publisher &&) noexcept = default;
Publisher & Publisher::operator=(Publisher &&) noexcept = default;

bool Publisher::publish(const void * message)
{
  const std::lock_guard<std::mutex> lock(impl_->mutex);
  serialize(impl_->type, message, impl_->buffer);
  return impl_->send(impl_->buffer.data(), impl_->buffer.size());
}

bool Publisher::publish_bytes(const uint8_t * data, size_t size) { return impl_->send(data, size); }

int Publisher::subscription_count() const
{
  eprosima::fastdds::dds::PublicationMatchedStatus status;
  impl_->writer->get_publication_matched_status(status);
  return status.current_count;
}

const std::string & Publisher::topic() const { return impl_->topic; }

}  // namespace mgproto::dds
