// Has matplotlib draw the figures, in a Python process of its own.
#pragma once

#include <map>
#include <nlohmann/json.hpp>
#include <string>

#include "host/report/child_process.h"

namespace sightline::host::report {

/// The Python that draws: environment variable SIGHTLINE_PYTHON, else /usr/bin/python3, else
/// python3 on PATH. Throws EnvironmentError naming the package to install.
std::string find_python();

/// Draws `figures` (the list that figures.py describes; files they name lie in `directory`) and
/// returns an <svg> element by figure name. Throws EnvironmentError without Python or matplotlib,
/// RunError with Python's own message if drawing fails.
std::map<std::string, std::string> draw_figures(const nlohmann::ordered_json& figures,
                                                const TemporaryDirectory& directory);

/// Opens a file in the user's browser. Throws EnvironmentError without xdg-open.
void open_in_browser(const std::string& path);

}  // namespace sightline::host::report
