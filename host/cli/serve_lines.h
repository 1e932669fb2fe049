// A service on standard input and output: a line in, a line out, to the end of input.
#pragma once

#include <functional>
#include <string>

namespace sightline::cli {

/// Prints what `answer` says to each line, blank ones left out, as soon as it says it. Of a line
/// that is too long for a tool service (config/tool_lines.h) it is given as much as shows that.
void serve_lines(const std::function<std::string(const std::string& line)>& answer);

}  // namespace sightline::cli
