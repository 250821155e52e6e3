#!/usr/bin/python3
# Copyright 2026 The mgproto_ros Authors
# SPDX-License-Identifier: Apache-2.0
"""Write the files beside it. Needs PyTorch; the files in the repository are from 1.13."""

from collections import OrderedDict
import io
import os
from pathlib import Path
import pickle
import struct
import tarfile
import zipfile

import torch
from torch import nn

HERE = Path(__file__).resolve().parent


def save(name, value, legacy=False, **options):
    torch.save(value, HERE / name, _use_new_zipfile_serialization=not legacy, **options)


def tensors():
    """Every element type, and the shapes that are easy to get wrong."""
    table = torch.arange(12, dtype=torch.float32).reshape(3, 4)
    return OrderedDict(
        f32=torch.tensor([[1.5, -2.0, 0.25], [1e30, -0.0, 3.0]]),
        f16=torch.tensor([1.0, -0.5, 65504.0], dtype=torch.float16),
        bf16=torch.tensor([1.0, -2.0], dtype=torch.bfloat16),
        f64=torch.tensor([0.1], dtype=torch.float64),
        u8=torch.tensor([0, 255], dtype=torch.uint8),
        i8=torch.tensor([-128, 127], dtype=torch.int8),
        i16=torch.tensor([-2, 300], dtype=torch.int16),
        i32=torch.tensor([-3, 70000], dtype=torch.int32),
        i64=torch.tensor([-4, 1 << 40], dtype=torch.int64),
        boolean=torch.tensor([True, False, True]),
        scalar=torch.tensor(7, dtype=torch.int64),
        empty=torch.zeros(0, 5),
        table=table,
        transposed=table.t(),
        middle=table[1:, 1:3],
        column=table[:, 2],
        repeated=torch.tensor([5.0, 6.0]).expand(3, 2),
        parameter=nn.Parameter(torch.tensor([8.0, 9.0])),
    )


def opcodes(*parts):
    """Make a pickle by hand: bytes are opcodes, a str is a BINUNICODE, an int a BININT."""
    out = b'\x80\x04'
    for part in parts:
        if isinstance(part, str):
            part = b'X' + struct.pack('<I', len(part)) + part.encode()
        elif isinstance(part, int):
            part = b'J' + struct.pack('<i', part)
        out += part
    return out + b'.'


def archive(name, data_pkl, *extra, compression=zipfile.ZIP_STORED):
    with zipfile.ZipFile(HERE / name, 'w', compression) as out:
        for entry, content in (('a/data.pkl', data_pkl), *extra):
            out.writestr(zipfile.ZipInfo(entry), content, compress_type=compression)


def tensor(key, numel, offset, size, stride):
    """Give the opcodes of one float32 tensor."""

    def numbers(values):
        return [b'(', *values, b't']

    return [b'ctorch._utils\n_rebuild_tensor_v2\n', b'((', 'storage', b'ctorch\nFloatStorage\n',
            key, 'cpu', numel, b'tQ', offset, *numbers(size), *numbers(stride),
            b'\x89)t', b'R']


def one_tensor(name, *arguments, floats=4):
    pkl = opcodes(b'}', 'w', *tensor('0', *arguments), b's')
    archive(name, pkl, ('a/data/0', struct.pack(f'<{floats}f', *range(floats))))


def good_files():
    values = tensors()
    save('zip.pth', values)
    save('legacy.pth', values, legacy=True)
    save('zip_protocol4.pth', values, pickle_protocol=4)
    save('legacy_protocol4.pth', values, legacy=True, pickle_protocol=4)
    small = {'b': torch.tensor([1.0, 2.0]), 'a': torch.tensor([3])}
    save('plain_dict.pth', small)
    save('small_legacy.pth', small, legacy=True)
    module = nn.Sequential(nn.Linear(2, 1), nn.BatchNorm1d(1))
    with torch.no_grad():
        module[0].weight.copy_(torch.tensor([[0.5, 0.25]]))
    save('module_state_dict.pth', module.state_dict())
    save('checkpoint.pth', {
        'epoch': 3, 'note': 'text', 'history': [1.0, 2.0], 'best': None,
        'state_dict': {'layer': {'weight': torch.tensor([1.0, 2.0])}, 'bias': torch.tensor([3.0])},
        'optimizer': {'momentum': torch.tensor([4.0])},
    })
    save('nested.pth', {
        'head': {'weight': torch.tensor([1.0])}, 'blocks': {0: torch.tensor([2.0])}})


def refused_files():
    system = b'cos\nsystem\n'
    run = [b'(', 'touch /tmp/owned', b'tR']
    archive('os_system_global.pth', opcodes(system, *run))
    archive('os_system_stack_global.pth', opcodes('os', 'system', b'\x93', *run))
    archive('os_system_in_dict.pth', opcodes(b'}', 'w', system, *run, b's'))
    with open(HERE / 'os_system_legacy.pth', 'wb') as out:
        for value in (0x1950A86A20F9469CFC6C, 1001, {'little_endian': True}):
            pickle.dump(value, out, protocol=2)
        out.write(opcodes(system, *run))
    save('module.pth', nn.Linear(2, 1))
    save('complex.pth', {'w': torch.zeros(1, dtype=torch.complex64)})
    torch.jit.save(torch.jit.script(nn.Identity()), HERE / 'script.pt')
    with tarfile.open(HERE / 'old.tar', 'w', format=tarfile.USTAR_FORMAT) as out:
        info = tarfile.TarInfo('storages')
        info.size = 1
        out.addfile(info, io.BytesIO(b'0'))
    os.truncate(HERE / 'old.tar', 1024)  # the rest is padding

    one_tensor('broadcast.pth', 1, 0, (1 << 20, 1 << 10), (0, 0), floats=1)
    one_tensor('beyond_storage.pth', 4, 0, (2, 2), (2, 2))
    one_tensor('offset_beyond.pth', 4, 4, (1,), (1,))
    one_tensor('negative_stride.pth', 4, 3, (4,), (-1,))
    one_tensor('overflow.pth', 4, 0, (2147483647,) * 4, (2147483647,) * 4)
    one_tensor('short_storage.pth', 400, 0, (400,), (1,))
    archive('missing_storage.pth', opcodes(b'}', 'w', *tensor('9', 1, 0, (1,), (1,)), b's'))
    archive('duplicate.pth', opcodes(b'}', *(2 * ['w', *tensor('0', 1, 0, (1,), (1,)), b's'])),
            ('a/data/0', struct.pack('<f', 1)))
    archive('compressed.pth', opcodes(b'}'), compression=zipfile.ZIP_DEFLATED)
    archive('big_endian.pth', opcodes(b'}'), ('a/byteorder', b'big'))
    archive('no_tensors.pth', opcodes(b'}', 'epoch', 3, b's'))
    archive('list.pth', opcodes(b']'))
    with zipfile.ZipFile(HERE / 'other.zip', 'w') as out:
        out.writestr(zipfile.ZipInfo('readme.txt'), b'hello')

    archive('dict_in_itself.pth', opcodes(b'}q\0', 'me', b'h\0s', 'again', b'h\0s'))
    archive('list_in_itself.pth', opcodes(b'}', 'me', b']q\0h\0as', 'w',
                                          *tensor('0', 1, 0, (1,), (1,)), b's'),
            ('a/data/0', struct.pack('<f', 1)))


if __name__ == '__main__':
    os.umask(0o022)
    for old in HERE.iterdir():
        if old.suffix in ('.pth', '.pt', '.tar', '.zip'):
            old.unlink()
    torch.manual_seed(0)
    good_files()
    refused_files()
