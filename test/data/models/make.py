#!/usr/bin/env python3
# Copyright 2026 The mgproto_ros Authors
# SPDX-License-Identifier: Apache-2.0
"""
Make the small models of this folder, with Debian's python3-torch.

A ResNet18 of width 1/16 with an MGProto head, named as in the MGProto authors' state_dicts, in
both of torch.save's formats, and what it answers to a given input, worked out here step by step
without the C++ code.
"""

import json
import math
import pathlib

import torch
import torch.nn.functional as F

HERE = pathlib.Path(__file__).parent
CLASSES, PER_CLASS, DIM, SIZE = 3, 2, 8, 48
torch.manual_seed(7)
state = {}


def conv(name, out, into, kernel):
    scale = math.sqrt(into * kernel**2 / 2)
    state[name + '.weight'] = torch.randn(out, into, kernel, kernel) / scale


def norm(name, channels):
    state[name + '.weight'] = torch.rand(channels) + 0.5
    state[name + '.bias'] = torch.randn(channels) * 0.1
    state[name + '.running_mean'] = torch.randn(channels) * 0.1
    state[name + '.running_var'] = torch.rand(channels) + 0.5
    state[name + '.num_batches_tracked'] = torch.tensor(5)


def conv_norm(x, conv_name, norm_name, stride, padding):
    x = F.conv2d(x, state[conv_name + '.weight'], stride=stride, padding=padding)
    s = {k: state[f'{norm_name}.{k}'] for k in ('running_mean', 'running_var', 'weight', 'bias')}
    return F.batch_norm(x, s['running_mean'], s['running_var'], s['weight'], s['bias'])


WIDTHS = [4, 8, 16, 32]
conv('features.conv1', 4, 3, 7)
norm('features.bn1', 4)
into = 4
for stage, out in enumerate(WIDTHS, 1):
    for block in range(2):
        p = f'features.layer{stage}.{block}.'
        conv(p + 'conv1', out, into, 3), norm(p + 'bn1', out)
        conv(p + 'conv2', out, out, 3), norm(p + 'bn2', out)
        if block == 0 and stage > 1:
            conv(p + 'downsample.0', out, into, 1), norm(p + 'downsample.1', out)
        into = out
for i, channels in enumerate((32, DIM)):
    conv(f'add_on_layers.{i}', DIM, channels, 1)
    state[f'add_on_layers.{i}.bias'] = torch.randn(DIM) * 0.1
means = F.normalize(torch.randn(CLASSES, PER_CLASS, DIM), dim=2) * 0.9
priors = torch.tensor([[0.25, 0.75], [0.6, 0.4], [0.5, 0.5]])
state['prototype_means'] = means
state['prototype_covs'] = torch.full((CLASSES, PER_CLASS, DIM), 1 / math.sqrt(2 * math.pi))
aggregation = torch.zeros(CLASSES, CLASSES * PER_CLASS)
for c in range(CLASSES):
    aggregation[c, c * PER_CLASS:(c + 1) * PER_CLASS] = priors[c]
state['last_layer.weight'] = aggregation
state['embedding.weight'] = torch.randn(4, 32)

images = torch.randn(2, 3, SIZE, SIZE)
x = F.relu(conv_norm(images, 'features.conv1', 'features.bn1', 2, 3))
for stage in range(1, 5):
    for block in range(2):
        p = f'features.layer{stage}.{block}.'
        stride = 2 if block == 0 and stage > 1 else 1
        y = F.relu(conv_norm(x, p + 'conv1', p + 'bn1', stride, 1))
        y = conv_norm(y, p + 'conv2', p + 'bn2', 1, 1)
        shortcut = conv_norm(x, p + 'downsample.0', p + 'downsample.1', stride, 0) \
            if p + 'downsample.0.weight' in state else x
        x = F.relu(y + shortcut)
for i in range(2):
    x = F.conv2d(x, state[f'add_on_layers.{i}.weight'], state[f'add_on_layers.{i}.bias'])
f = F.normalize(x, dim=1).flatten(2).permute(0, 2, 1)  # [B, P, D]
difference = f[:, :, None, None, :] - means
likelihood = torch.exp(-math.pi * difference.square().sum(-1)).max(1).values  # [B, C, M]
class_density = (likelihood * priors).sum(2)

ordered = dict(state)
torch.save(ordered, HERE / 'small_zip.pth')
torch.save(ordered, HERE / 'small_legacy.pth', _use_new_zipfile_serialization=False)
# The authors prune by setting a prior to 0.
pruned = dict(state)
pruned['last_layer.weight'] = aggregation.clone()
pruned['last_layer.weight'][0, 0] = 0
kept = ('running', 'covs')
torch.save({k: v.half() if v.dtype == torch.float32 and not any(part in k for part in kept) else v
            for k, v in pruned.items()}, HERE / 'small_pruned_half.pth')
# torchvision's own names, with its classifier.
backbone = {k[len('features.'):]: v for k, v in state.items() if k.startswith('features.')}
backbone['fc.weight'] = torch.randn(5, 32)
torch.save(backbone, HERE / 'small_torchvision.pth')
# BBN's names (the iNaturalist weights): the last block of layer4 twice, one for each branch.
bbn = {'module.backbone.' + k.replace('layer4.1.', 'cb_block.'):
       v.half() if v.is_floating_point() else v
       for k, v in backbone.items() if not k.startswith('fc.')}
bbn.update({k.replace('cb_block.', 'rb_block.'): v for k, v in bbn.items() if '.cb_block.' in k})
bbn['module.classifier.weight'] = torch.randn(5, 64)
torch.save(bbn, HERE / 'small_bbn.pth', _use_new_zipfile_serialization=False)
(HERE / 'small_expected.json').write_text(json.dumps({
    'images': [round(v, 6) for v in images.flatten().tolist()], 'shape': list(images.shape),
    'log_class_density': class_density.log().tolist(),
    'log_density': (class_density.mean(1)).log().tolist()}))
