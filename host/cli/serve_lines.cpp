#include "host/cli/serve_lines.h"

#include <fmt/format.h>

#include <cstdio>
#include <iostream>

#include "host/config/tool_lines.h"

namespace sightline::cli {
namespace {

/// The next line without its end. False: the end.
bool read_line(std::streambuf& in, std::string* line) {
  using Traits = std::streambuf::traits_type;
  line->clear();
  bool any = false;
  for (Traits::int_type c; (c = in.sbumpc()) != Traits::eof(); any = true) {
    if (Traits::to_char_type(c) == '\n') return true;
    if (line->size() <= host::kMaxToolLineBytes) line->push_back(Traits::to_char_type(c));
  }
  return any;
}

}  // namespace

void serve_lines(const std::function<std::string(const std::string& line)>& answer) {
  std::string line;
  while (read_line(*std::cin.rdbuf(), &line)) {
    if (line.find_first_not_of(" \t\r") == std::string::npos) continue;
    fmt::print("{}\n", answer(line));
    std::fflush(stdout);  // the other side waits for it
  }
}

}  // namespace sightline::cli
