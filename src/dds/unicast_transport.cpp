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
  UnicastTransport(const ChainingTransportDescriptor & descriptor, uint32_t discovery_port)
  : ChainingTransport(descriptor),
    descriptor_(descriptor.low_level_descriptor),
    discovery_port_(discovery_port)
  {
  }

  bool transform_remote_locator(
    const rtps::Locator_t & remote, rtps::Locator_t & result) const override
  {
    return (!rtps::IPLocator::isMulticast(remote) || remote.port == discovery_port_) &&
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
  const std::shared_ptr<TransportDescriptorInterface> descriptor_;
  const uint32_t discovery_port_;
};

class UnicastTransportDescriptor : public ChainingTransportDescriptor
{
public:
  UnicastTransportDescriptor(
    std::shared_ptr<TransportDescriptorInterface> udp, uint32_t discovery_port)
  : ChainingTransportDescriptor(std::move(udp)), discovery_port_(discovery_port)
  {
  }

  TransportInterface * create_transport() const override
  {
    return new UnicastTransport(*this, discovery_port_);
  }

private:
  const uint32_t discovery_port_;
};

}  // namespace

std::shared_ptr<TransportDescriptorInterface> unicast_transport(
  std::shared_ptr<eprosima::fastdds::rtps::UDPv4TransportDescriptor> udp, uint32_t discovery_port)
{
  return std::make_shared<UnicastTransportDescriptor>(std::move(udp), discovery_port);
}

}  // namespace mgproto::dds
