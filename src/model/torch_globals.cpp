// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#include "model/torch_globals.hpp"

#include <map>
#include <set>

#include "mgproto_ros/error.hpp"
#include "model/printable.hpp"

namespace mgproto
{
namespace
{

bool is_known(std::string_view name)
{
  static const std::set<std::string_view> known{
    // What tensors are made of.
    "collections.OrderedDict",
    "torch._utils._rebuild_tensor",
    "torch._utils._rebuild_tensor_v2",
    "torch._utils._rebuild_parameter",
    // What training scripts leave beside them. It is skipped, never built.
    "__builtin__.set",
    "_codecs.encode",
    "argparse.Namespace",
    "builtins.set",
    "collections.Counter",
    "collections.defaultdict",
    "numpy._core.multiarray.scalar",
    "numpy.core.multiarray.scalar",
    "numpy.dtype",
    "torch.Size",
    "torch.bfloat16",
    "torch.device",
    "torch.float16",
    "torch.float32",
    "torch.float64",
    "torch.int64",
  };
  return known.count(name) != 0 || storage_dtype(name).has_value();
}

bool ends_with(std::string_view text, std::string_view end)
{
  return text.size() > end.size() && text.substr(text.size() - end.size()) == end;
}

void check_global(const std::string & path, const std::string & name)
{
  if (is_known(name)) {
    return;
  }
  const std::string_view last = std::string_view(name).substr(name.rfind('.') + 1);
  if (name.rfind("torch.", 0) == 0 && ends_with(last, "Storage")) {
    throw FileError(path, "holds a " + printable(name) + ", an element type that is not supported");
  }
  // Python names classes in capitals: most likely a pickled nn.Module.
  const bool is_class = !last.empty() && last[0] >= 'A' && last[0] <= 'Z';
  throw FileError(
    path, "refers to " + printable(name) + ", which a file of tensors does not need: refused" +
            (is_class ? "; of a model, save the state_dict() rather than the module itself" : ""));
}

}  // namespace

std::optional<DType> storage_dtype(std::string_view global)
{
  static const std::map<std::string_view, DType> dtypes{
    {"torch.HalfStorage", DType::f16},   {"torch.BFloat16Storage", DType::bf16},
    {"torch.FloatStorage", DType::f32},  {"torch.DoubleStorage", DType::f64},
    {"torch.ByteStorage", DType::u8},    {"torch.CharStorage", DType::i8},
    {"torch.ShortStorage", DType::i16},  {"torch.IntStorage", DType::i32},
    {"torch.LongStorage", DType::i64},   {"torch.BoolStorage", DType::boolean},
    {"torch.UntypedStorage", DType::u8}, {"torch.storage.UntypedStorage", DType::u8},
  };
  const auto found = dtypes.find(global);
  return found == dtypes.end() ? std::nullopt : std::optional<DType>(found->second);
}

pickle::Pickle unpickle_torch(const std::string & path, std::string_view bytes)
{
  return pickle::unpickle(
    path, bytes, [&path](const std::string & name) { check_global(path, name); });
}

}  // namespace mgproto
