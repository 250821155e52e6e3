# Copyright 2026 The mgproto_ros Authors
# SPDX-License-Identifier: Apache-2.0

"""
Nodes that are loaded into a container, so that a failure is one of the launch.

launch_ros's LoadComposableNodes leaves a node that cannot be loaded at a line in the log, and does
not load it again when its container was restarted.
"""

import asyncio
import math

from composition_interfaces.srv import ListNodes
from composition_interfaces.srv import LoadNode
from launch.events import Shutdown
import launch.logging
from launch_ros.actions.load_composable_nodes import get_composable_node_load_request
from launch_ros.ros_adapters import get_ros_node

POLL = 0.05  # seconds from one look at an answer to the next
PATIENCE = 1.0  # seconds for a container to list its nodes
RETRY = 2.0  # seconds before a failure is tried again


def fail(context, why, shut_down=True):
    """Say why, and let the launch end with code 1: now, or when all else in it has ended."""
    launch.logging.get_logger('asyncio')  # whose words are then in the launch's log, too
    context.asyncio_loop.call_exception_handler({'message': why})
    if shut_down:
        context.emit_event_sync(Shutdown(reason=why))


class Components:
    """Nodes for one container."""

    def __init__(self, context, nodes, *, respawn, required):
        """
        Take descriptions of nodes.

        :param respawn: a node that cannot be loaded is tried again, instead of
        :param required: ending the launch, or only what it would have done here
        """
        self._context = context
        self._requests = [get_composable_node_load_request(node, context) for node in nodes]
        self._respawn = respawn
        self._required = required
        self._logger = launch.logging.get_logger('components')
        self._clients = None

    def load_into(self, container, is_alive=lambda: True):
        """Load all of them beside what the launch does, as long as the container is alive."""
        self._context.add_completion_future(
            self._context.asyncio_loop.create_task(self._load_quietly(container, is_alive)))

    async def _load_quietly(self, container, is_alive):
        try:
            await self._load_all(container, is_alive)
        except KeyboardInterrupt:
            pass  # launch hears of it by itself

    async def _load_all(self, container, is_alive):
        def goes_on():
            return is_alive() and not self._context.is_shutdown

        if self._clients is None:
            ros = get_ros_node(self._context)
            self._clients = [
                ros.create_client(ListNodes, f'{container}/_container/list_nodes'),
                ros.create_client(LoadNode, f'{container}/_container/load_node')]
        for request in self._requests:
            name = '/'.join([request.node_namespace.rstrip('/'), request.node_name])
            while goes_on():
                await self._wait_for(container, goes_on)
                answer = await self._answer(self._clients[1], request, goes_on)
                if answer is None:
                    return
                if answer.success:
                    self._logger.info(f'{answer.full_node_name} is loaded into {container}')
                    break
                why = f'{name} was not loaded into {container}: {answer.error_message}'
                if not self._respawn:
                    fail(self._context, why, self._required)
                    return
                self._logger.error(f'{why}; trying again in {RETRY:g} s')
                await asyncio.sleep(RETRY)

    async def _wait_for(self, container, goes_on):
        """Wait for an answer: a service that is listed may be one of a container that died."""
        now = self._context.asyncio_loop.time
        listing = self._clients[0]
        said_at = now() + 5
        while goes_on():
            if listing.service_is_ready():
                end = now() + PATIENCE
                answer = self._answer(
                    listing, ListNodes.Request(), lambda: goes_on() and now() < end)
                if await answer is not None:
                    return
            else:
                await asyncio.sleep(POLL)
            if now() > said_at:
                self._logger.warning(f'waiting for the container {container}')
                said_at = math.inf

    async def _answer(self, client, request, goes_on):
        """Return the service's answer, None if it does not come as long as this goes on."""
        if not goes_on():
            return None
        answer = client.call_async(request)
        while goes_on() and not answer.done():
            await asyncio.sleep(POLL)
        return answer.result() if goes_on() else None
