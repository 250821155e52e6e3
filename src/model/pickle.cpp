// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#include "model/pickle.hpp"

#include <cstdio>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "mgproto_ros/error.hpp"

namespace mgproto::pickle
{
namespace
{

// A checkpoint of a thousand tensors has some twenty thousand values; this many take about 60 MB.
constexpr std::size_t max_values = std::size_t{1} << 20;

constexpr int newest_protocol = 5;

constexpr Index no_value = std::numeric_limits<Index>::max();

// Named as in Python's pickletools.
enum Opcode : unsigned char
{
  MARK = '(',
  STOP = '.',
  POP = '0',
  POP_MARK = '1',
  DUP = '2',
  BINBYTES = 'B',
  SHORT_BINBYTES = 'C',
  BINFLOAT = 'G',
  BININT = 'J',
  BININT1 = 'K',
  BININT2 = 'M',
  NONE = 'N',
  BINPERSID = 'Q',
  REDUCE = 'R',
  BINSTRING = 'T',
  SHORT_BINSTRING = 'U',
  BINUNICODE = 'X',
  EMPTY_LIST = ']',
  APPEND = 'a',
  BUILD = 'b',
  GLOBAL = 'c',
  DICT = 'd',
  APPENDS = 'e',
  BINGET = 'h',
  LONG_BINGET = 'j',
  LIST = 'l',
  BINPUT = 'q',
  LONG_BINPUT = 'r',
  SETITEM = 's',
  TUPLE = 't',
  EMPTY_TUPLE = ')',
  SETITEMS = 'u',
  EMPTY_DICT = '}',
  PROTO = 0x80,
  NEWOBJ = 0x81,
  TUPLE1 = 0x85,
  TUPLE2 = 0x86,
  TUPLE3 = 0x87,
  NEWTRUE = 0x88,
  NEWFALSE = 0x89,
  LONG1 = 0x8a,
  LONG4 = 0x8b,
  SHORT_BINUNICODE = 0x8c,
  BINUNICODE8 = 0x8d,
  BINBYTES8 = 0x8e,
  EMPTY_SET = 0x8f,
  ADDITEMS = 0x90,
  FROZENSET = 0x91,
  STACK_GLOBAL = 0x93,
  MEMOIZE = 0x94,
  FRAME = 0x95,
};

class Unpickler
{
public:
  Unpickler(const std::string & path, std::string_view bytes, const CheckGlobal & check_global)
  : path_(path), bytes_(bytes), check_global_(check_global)
  {
  }

  Pickle run()
  {
    do {
      opcode_at_ = at_;
    } while (step(static_cast<unsigned char>(take(1)[0])));
    pickle_.root = pop();
    pickle_.length = at_;
    return std::move(pickle_);
  }

private:
  [[noreturn]] void fail(const std::string & problem) const
  {
    std::string place = "pickle ends";
    if (opcode_at_ < bytes_.size()) {
      char opcode[8];
      std::snprintf(
        opcode, sizeof(opcode), "0x%02x", static_cast<unsigned char>(bytes_[opcode_at_]));
      place = "pickle opcode " + std::string(opcode);
    }
    throw FileError(path_, place + " at byte " + std::to_string(opcode_at_) + ": " + problem);
  }

  // --- the bytes ---

  std::string_view take(std::uint64_t count)
  {
    if (count > bytes_.size() - at_) {
      fail(
        "expected " + std::to_string(count) + " more bytes, got " +
        std::to_string(bytes_.size() - at_));
    }
    const std::string_view taken = bytes_.substr(at_, count);
    at_ += count;
    return taken;
  }

  std::uint64_t take_unsigned(std::size_t size)
  {
    const std::string_view raw = take(size);
    std::uint64_t value = 0;
    for (std::size_t i = 0; i < size; ++i) {
      value |= std::uint64_t{static_cast<unsigned char>(raw[i])} << (8 * i);
    }
    return value;
  }

  std::string_view take_line()
  {
    const std::size_t end = bytes_.find('\n', at_);
    if (end == std::string_view::npos) {
      fail("expected a line that ends");
    }
    const std::string_view line = bytes_.substr(at_, end - at_);
    at_ = end + 1;
    return line;
  }

  // --- the stack ---

  void push(Index index) { stack_.push_back(index); }

  void push(Value value)
  {
    if (pickle_.values.size() >= max_values) {
      fail("expected at most " + std::to_string(max_values) + " values");
    }
    pickle_.values.push_back(std::move(value));
    push(static_cast<Index>(pickle_.values.size() - 1));
  }

  void push(Kind kind) { push(Value{kind, 0, {}, {}}); }
  void push(Kind kind, std::int64_t integer) { push(Value{kind, integer, {}, {}}); }
  void push(Kind kind, std::string_view text) { push(Value{kind, 0, text, {}}); }
  void push(Kind kind, std::vector<Index> items) { push(Value{kind, 0, {}, std::move(items)}); }

  Index top() const
  {
    if (stack_.size() <= (marks_.empty() ? 0 : marks_.back())) {
      fail("expected a value on the stack");
    }
    return stack_.back();
  }

  Index pop()
  {
    const Index index = top();
    stack_.pop_back();
    return index;
  }

  std::vector<Index> pop_last(std::size_t count)
  {
    std::vector<Index> items(count);
    for (std::size_t i = count; i-- > 0;) {
      items[i] = pop();
    }
    return items;
  }

  std::vector<Index> pop_to_mark()
  {
    if (marks_.empty()) {
      fail("expected a mark on the stack");
    }
    const auto first = stack_.begin() + static_cast<std::ptrdiff_t>(marks_.back());
    std::vector<Index> items(first, stack_.end());
    stack_.erase(first, stack_.end());
    marks_.pop_back();
    return items;
  }

  // --- the memo ---

  void memoize(std::uint64_t slot)
  {
    // Picklers count slots from zero, so there are fewer than bytes.
    if (slot >= bytes_.size()) {
      fail("memo slot " + std::to_string(slot) + " is out of range");
    }
    if (slot >= memo_.size()) {
      memo_.resize(slot + 1, no_value);
    }
    memo_count_ += memo_[slot] == no_value;
    memo_[slot] = top();
  }

  Index remembered(std::uint64_t slot) const
  {
    if (slot >= memo_.size() || memo_[slot] == no_value) {
      fail("memo slot " + std::to_string(slot) + " is empty");
    }
    return memo_[slot];
  }

  // --- the objects ---

  void push_integer(std::string_view raw)
  {
    if (raw.size() > 8) {
      push(Kind::other, raw);
      return;
    }
    std::uint64_t bits = 0;
    for (std::size_t i = 0; i < 8; ++i) {
      const bool negative = !raw.empty() && (raw.back() & 0x80) != 0;
      const unsigned char fill = negative ? 0xff : 0;
      const auto byte = i < raw.size() ? static_cast<unsigned char>(raw[i]) : fill;
      bits |= std::uint64_t{byte} << (8 * i);
    }
    push(Kind::integer, static_cast<std::int64_t>(bits));
  }

  void push_global(std::string_view module, std::string_view name)
  {
    const std::string dotted = std::string(module) + "." + std::string(name);
    check_global_(dotted);
    push(Kind::global, std::string_view(*pickle_.globals.insert(dotted).first));
  }

  void push_call()
  {
    std::vector<Index> call = pop_last(2);
    const Value & callable = pickle_[call[0]];
    const Value & arguments = pickle_[call[1]];
    if (callable.kind != Kind::global || arguments.kind != Kind::tuple) {
      fail("expected a global and a tuple of its arguments");
    }
    if (callable.text == "collections.OrderedDict" && arguments.items.empty()) {
      push(Kind::dict);
    } else {
      push(Kind::call, std::move(call));
    }
  }

  /// Adds to the container on top of the stack. What is added to an object that stands for a call,
  /// or to a set, is dropped: it is never looked at.
  void add_items(Kind kind, const std::vector<Index> & items)
  {
    Value & container = pickle_.values[top()];
    if (container.kind == Kind::call || container.kind == Kind::other) {
      return;
    }
    if (container.kind != kind) {
      fail(kind == Kind::list ? "expected a list to add to" : "expected a dict to add to");
    }
    if (kind == Kind::dict && items.size() % 2 != 0) {
      fail("expected pairs of keys and values");
    }
    container.items.insert(container.items.end(), items.begin(), items.end());
  }

  void push_dict(const std::vector<Index> & items)
  {
    push(Kind::dict);
    add_items(Kind::dict, items);
  }

  void protocol()
  {
    const std::uint64_t version = take_unsigned(1);
    if (version > newest_protocol) {
      fail(
        "expected protocol " + std::to_string(newest_protocol) + " or older, got " +
        std::to_string(version));
    }
  }

  void stack_global()
  {
    const std::vector<Index> names = pop_last(2);
    const Value & module = pickle_[names[0]];
    const Value & name = pickle_[names[1]];
    if (module.kind != Kind::text || name.kind != Kind::text) {
      fail("expected the names of a module and of a global");
    }
    push_global(module.text, name.text);
  }

  void global()
  {
    const std::string_view module = take_line();
    push_global(module, take_line());
  }

  void pop_value_or_mark()
  {
    if (!marks_.empty() && marks_.back() == stack_.size()) {
      marks_.pop_back();
    } else {
      pop();
    }
  }

  /// Executes one opcode; false at the end of the pickle.
  bool step(unsigned char opcode)
  {
    // clang-format off
    switch (opcode) {
      case PROTO: protocol(); break;
      case FRAME: take(8); break;
      case STOP: return false;

      case MARK: marks_.push_back(stack_.size()); break;
      case POP: pop_value_or_mark(); break;
      case POP_MARK: pop_to_mark(); break;
      case DUP: push(top()); break;
      case BINPUT: memoize(take_unsigned(1)); break;
      case LONG_BINPUT: memoize(take_unsigned(4)); break;
      case MEMOIZE: memoize(memo_count_); break;
      case BINGET: push(remembered(take_unsigned(1))); break;
      case LONG_BINGET: push(remembered(take_unsigned(4))); break;

      case NONE: push(Kind::none); break;
      case NEWTRUE: push(Kind::boolean, 1); break;
      case NEWFALSE: push(Kind::boolean, 0); break;
      case BININT: push_integer(take(4)); break;
      case BININT1: push(Kind::integer, static_cast<std::int64_t>(take_unsigned(1))); break;
      case BININT2: push(Kind::integer, static_cast<std::int64_t>(take_unsigned(2))); break;
      case LONG1: push_integer(take(take_unsigned(1))); break;
      case LONG4: push_integer(take(take_unsigned(4))); break;
      case BINFLOAT: take(8); push(Kind::other); break;

      case SHORT_BINSTRING:
      case SHORT_BINUNICODE: push(Kind::text, take(take_unsigned(1))); break;
      case BINSTRING:
      case BINUNICODE: push(Kind::text, take(take_unsigned(4))); break;
      case BINUNICODE8: push(Kind::text, take(take_unsigned(8))); break;
      case SHORT_BINBYTES: take(take_unsigned(1)); push(Kind::other); break;
      case BINBYTES: take(take_unsigned(4)); push(Kind::other); break;
      case BINBYTES8: take(take_unsigned(8)); push(Kind::other); break;

      case EMPTY_TUPLE: push(Kind::tuple); break;
      case TUPLE1: push(Kind::tuple, pop_last(1)); break;
      case TUPLE2: push(Kind::tuple, pop_last(2)); break;
      case TUPLE3: push(Kind::tuple, pop_last(3)); break;
      case TUPLE: push(Kind::tuple, pop_to_mark()); break;
      case EMPTY_LIST: push(Kind::list); break;
      case LIST: push(Kind::list, pop_to_mark()); break;
      case APPEND: add_items(Kind::list, pop_last(1)); break;
      case APPENDS: add_items(Kind::list, pop_to_mark()); break;
      case EMPTY_DICT: push(Kind::dict); break;
      case DICT: push_dict(pop_to_mark()); break;
      case SETITEM: add_items(Kind::dict, pop_last(2)); break;
      case SETITEMS: add_items(Kind::dict, pop_to_mark()); break;
      case EMPTY_SET: push(Kind::other); break;
      case ADDITEMS: pop_to_mark(); top(); break;
      case FROZENSET: pop_to_mark(); push(Kind::other); break;

      case GLOBAL: global(); break;
      case STACK_GLOBAL: stack_global(); break;
      case REDUCE:
      case NEWOBJ: push_call(); break;
      case BUILD: pop(); top(); break;
      case BINPERSID: push(Kind::persistent, pop_last(1)); break;

      default: fail("not an opcode that a file of tensors needs");
    }
    // clang-format on
    return true;
  }

  const std::string & path_;
  std::string_view bytes_;
  const CheckGlobal & check_global_;
  std::size_t at_ = 0;
  std::size_t opcode_at_ = 0;
  std::vector<Index> stack_;
  std::vector<std::size_t> marks_;
  std::vector<Index> memo_;
  std::uint64_t memo_count_ = 0;
  Pickle pickle_;
};

}  // namespace

Pickle unpickle(const std::string & path, std::string_view bytes, const CheckGlobal & check_global)
{
  return Unpickler(path, bytes, check_global).run();
}

}  // namespace mgproto::pickle
