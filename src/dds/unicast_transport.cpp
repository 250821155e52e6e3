// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#include "dds/unicast_transport.hpp"

#include <fastdds/rtps/network/SenderResource.h>
#include <fastdds/rtps/transport/ChainingTransport.h>
#include <fastdds/rtps/transport/TransportReceiverInterface.h>
#include <fastrtps/utils/IPLocator.h>

#include <utility>

namespace mgproto::dds
{
namespace
{

namespace rtps = eprosima::fastrtps::rtps;
using eprosima::fastdds::rtps::ChainingTransport;
using eprosima::fastdds::rtps::ChainingTransportDescriptor;
using eprosima::fastdds::rtps::TransportDescriptorInterface;
using eprosima::fastdds::rtps::TransportInterface;
using eprosima::fastdds::rtps::TransportReceiverInterface;

class UnicastTransport : public ChainingTransport
{
public:
  explicit UnicastTransport(const ChainingTransportDescriptor & descriptor)
  : ChainingTransport(descriptor), descriptor_(descriptor.low_level_descriptor)
  {
  }

  bool transform_remote_locator(
    const rtps::Locator_t & remote, rtps::Locator_t & result) const override
  {
    return !rtps::IPLocator::isMulticast(remote) &&
           ChainingTransport::transform_remote_locator(remote, result);
  }

  TransportDescriptorInterface * get_configuration() override { return descriptor_.get(); }

  bool send(
    rtps::SenderResource * sender, const rtps::octet * buffer, uint32_t size,
    rtps::LocatorsIterator * begin, rtps::LocatorsIterator * end,
    const std::chrono::steady_clock::time_point & timeout) override
  {
    return sender->send(buffer, size, begin, end, timeout);
  }

  void receive(
    TransportReceiverInterface * receiver, const rtps::octet * buffer, uint32_t size,
    const rtps::Locator_t & local, const rtps::Locator_t & remote) override
  {
    receiver->OnDataReceived(buffer, size, local, remote);
  }

private:
  std::shared_ptr<TransportDescriptorInterface> descriptor_;
};

class UnicastTransportDescriptor : public ChainingTransportDescriptor
{
public:
  using ChainingTransportDescriptor::ChainingTransportDescriptor;

  TransportInterface * create_transport() const override { return new UnicastTransport(*this); }
};

}  // namespace

std::shared_ptr<TransportDescriptorInterface> unicast_transport(
  std::shared_ptr<eprosima::fastdds::rtps::UDPv4TransportDescriptor> udp)
{
  return std::make_shared<UnicastTransportDescriptor>(std::move(udp));
}

}  // namespace mgproto::dds
