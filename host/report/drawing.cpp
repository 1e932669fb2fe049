#include "host/report/drawing.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "host/config/json_text.h"
#include "host/error.h"
#include "host/report/embedded.h"

namespace sightline::host::report {
namespace {

constexpr int kModuleMissing = 3;  ///< exit code of figures.py: matplotlib cannot be imported
constexpr const char* kInstall =
    "install it (Debian: apt-get install python3-matplotlib) or set SIGHTLINE_PYTHON to a Python "
    "that has it";

void write_text(const std::string& path, const std::string& text) {
  std::ofstream file(path, std::ios::binary);
  file << text;
  file.close();
  if (!file) throw RunError(path + ": cannot write (is the temporary directory full?)");
}

std::string read_text(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw RunError(path + ": the drawing process left no such figure");
  std::ostringstream content;
  content << file.rdbuf();
  return content.str();
}

void check_drawn(const std::string& python, const ChildResult& result) {
  if (result.exit_code == 0) return;
  if (result.exit_code == kModuleMissing) {
    throw EnvironmentError("report: " + python + " has no matplotlib: " + kInstall + "\n" +
                           result.errors);
  }
  throw RunError("report: drawing the figures failed: " + python + " exited with " +
                 std::to_string(result.exit_code) + "\n" + result.errors);
}

}  // namespace

std::string find_python() {
  const char* chosen = std::getenv("SIGHTLINE_PYTHON");
  if (chosen != nullptr && *chosen != '\0') {
    const std::string name = chosen;
    const std::string path = name.find('/') == std::string::npos ? find_on_path(name) : name;
    if (is_executable(path)) return path;
    throw EnvironmentError("report: SIGHTLINE_PYTHON is " + name +
                           ", which is no program that can be run; the figures need Python with "
                           "matplotlib: unset it, or install python3-matplotlib");
  }
  const std::string system = "/usr/bin/python3";
  if (is_executable(system)) return system;
  const std::string other = find_on_path("python3");
  if (!other.empty()) return other;
  throw EnvironmentError(std::string("report: no python3: the figures need Python with "
                                     "matplotlib; ") +
                         kInstall);
}

std::map<std::string, std::string> draw_figures(const nlohmann::ordered_json& figures,
                                                const TemporaryDirectory& directory) {
  const std::string python = find_python();
  const std::string script = directory.path() + "/figures.py";
  const std::string data = directory.path() + "/figures.json";
  write_text(script, kFiguresPy);
  write_text(directory.path() + "/figure_labels.py", kFigureLabelsPy);
  write_text(directory.path() + "/figure_maps.py", kFigureMapsPy);
  write_text(directory.path() + "/figure_style.py", kFigureStylePy);
  write_text(data, json_text(nlohmann::ordered_json{{"figures", figures}}));
  check_drawn(python, run_child({python, "-B", script, data, directory.path()}, directory.path()));

  std::map<std::string, std::string> drawn;
  for (const nlohmann::ordered_json& figure : figures) {
    const std::string name = figure.at("name");
    drawn[name] = read_text(directory.path() + "/" + name + ".svg");
  }
  return drawn;
}

void open_in_browser(const std::string& path) {
  const std::string opener = find_on_path("xdg-open");
  if (opener.empty()) {
    throw EnvironmentError("report: no xdg-open (Debian: apt-get install xdg-utils); open " + path +
                           " in a browser by hand");
  }
  const TemporaryDirectory directory;
  const ChildResult result =
      run_child({opener, std::filesystem::absolute(path).string()}, directory.path());
  if (result.exit_code != 0) {
    throw RunError("report: " + opener + " could not open " + path + "\n" + result.errors);
  }
}

}  // namespace sightline::host::report
