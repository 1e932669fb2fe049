#include "host/cli/usage_error.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <vector>

#include "host/config/plural.h"
#include "host/config/suggest.h"

namespace sightline::cli {
namespace {

/// The innermost command that was named.
const CLI::App& command_of(const CLI::App& app) {
  const CLI::App* command = &app;
  while (!command->get_subcommands().empty()) command = command->get_subcommands().front();
  return *command;
}

/// "sightline world info".
std::string path_of(const CLI::App& command) {
  const CLI::App* const parent = command.get_parent();
  return (parent ? path_of(*parent) + " " : std::string()) + command.get_name();
}

std::vector<std::string> command_names(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::App* command : app.get_subcommands({})) names.push_back(command->get_name());
  return names;
}

/// "--ot (did you mean --out?)" for an option that the command does not have.
std::string stranger_text(const std::string& option, const CLI::App& command) {
  std::vector<std::string> names;
  for (const CLI::Option* known : command.get_options()) {
    for (const std::string& name : known->get_lnames()) names.push_back("--" + name);
  }
  const std::string asked = option.substr(0, option.find('='));
  const std::string nearest = host::nearest_name(asked, names);
  // Beyond a third of the letters another option is no guess.
  const std::size_t close = std::max(asked.size(), nearest.size()) / 3;
  if (nearest.empty() || host::edit_distance(asked, nearest) > close) return asked;
  return asked + " (did you mean " + nearest + "?)";
}

/// What is wrong with the words after the command's name: a command or options that do not exist,
/// which may be why something required is missing. Empty: nothing of the kind.
std::string stranger_words(const CLI::App& app) {
  const CLI::App& command = command_of(app);
  const std::vector<std::string> commands = command_names(command);
  std::string options;
  for (const std::string& argument : app.remaining(true)) {
    if (argument.size() > 1 && argument[0] == '-') {
      options += (options.empty() ? "" : ", ") + stranger_text(argument, command);
    } else if (options.empty() && !commands.empty()) {
      return fmt::format("{} has no command \"{}\"; {}", path_of(command), argument,
                         host::suggestion(argument, commands));
    }
  }
  return options.empty() ? options : fmt::format("{} has no option {}", path_of(command), options);
}

/// The option that an error tells of, whose texts begin with its name; null: of none.
const CLI::Option* option_of(const CLI::App& command, const std::string& text) {
  const std::string name = text.substr(0, text.find_first_of(": "));
  return name.empty() ? nullptr : command.get_option_no_throw(name);
}

/// "an integer", from CLI11's name of a type; empty for texts, which take everything.
std::string kind_of(const CLI::Option& option) {
  const std::string type = option.get_type_name();
  if (type.find("FLOAT") != std::string::npos) return "a number";
  if (type.find("UINT") != std::string::npos) return "an integer, 0 or more";
  return type.find("INT") != std::string::npos ? "an integer" : "";
}

/// How many values an option was given that takes another number.
std::string count_text(const CLI::Option& option, const std::string& name) {
  const int fewest = option.get_items_expected_min(), most = option.get_items_expected_max();
  const std::size_t given = option.results().size();
  if (most == 1 && given > 1) {
    return fmt::format("{}: is given {} times; give it once", name, given);
  }
  if (most == 1) return fmt::format("{}: is given twice, once without its value", name);
  const std::string wanted = fewest == most
                                 ? host::plural(most, "value")
                                 : fmt::format("{} to {}", fewest, host::plural(most, "value"));
  return fmt::format("{}: takes {}, but is given {}", name, wanted, given);
}

/// What the parser says, where that is made for people who know its insides.
std::string text_of(const CLI::App& command, const CLI::ParseError& error) {
  const std::string text = error.what();
  const std::string kConversion = "Could not convert: ";
  if (text.rfind(kConversion, 0) == 0) {
    const std::string rest = text.substr(kConversion.size());
    const CLI::Option* const option = option_of(command, rest);
    const std::size_t equals = rest.find(" = ");
    if (!option || equals == std::string::npos || kind_of(*option).empty()) return rest;
    return fmt::format("{}: must be {}{}, but is {}", rest.substr(0, equals), kind_of(*option),
                       option->get_items_expected_max() > 1 ? " each" : "",
                       rest.substr(equals + 3));
  }
  const CLI::Option* const option = option_of(command, text);
  if (option && dynamic_cast<const CLI::ArgumentMismatch*>(&error)) {
    const std::string name = text.substr(0, text.find(':'));
    if (!option->results().empty()) return count_text(*option, name);
    return fmt::format("{}: its value is missing; write it behind", name);
  }
  const std::size_t excludes = text.find(" excludes ");
  if (dynamic_cast<const CLI::ExcludesError*>(&error) && excludes != std::string::npos) {
    return fmt::format("{} and {} exclude each other; give one of them", text.substr(0, excludes),
                       text.substr(excludes + std::string(" excludes ").size()));
  }
  const std::size_t needs = text.find(" requires ");
  if (dynamic_cast<const CLI::RequiresError*>(&error) && needs != std::string::npos) {
    return fmt::format("{} goes with {}; give both", text.substr(0, needs),
                       text.substr(needs + std::string(" requires ").size()));
  }
  // Of [IN] OUT, where a scene takes the place of IN, the parser misses the first.
  if (dynamic_cast<const CLI::RequiredError*>(&error) && text.rfind("in is required", 0) == 0 &&
      command.get_option_no_throw("out")) {
    return "the file to write is missing, and before it, unless --scene names one, the world";
  }
  return text;
}

}  // namespace

/// An error of the command line, with what it comes from and where to read on.
std::string usage_error(const CLI::App& app, const CLI::ParseError& error) {
  const CLI::App& command = command_of(app);
  const std::string strange = stranger_words(app);
  const bool of_strangers = dynamic_cast<const CLI::ExtrasError*>(&error) != nullptr;
  std::string text = text_of(command, error);
  if (of_strangers && strange.empty()) {
    text = fmt::format("{} takes no more arguments: {} is too much", path_of(command),
                       fmt::join(app.remaining(true), ", "));
  } else if (!strange.empty() && (of_strangers || !command_names(command).empty())) {
    text = strange;
  } else if (!strange.empty()) {
    text += "; " + strange;
  } else if (error.get_name() == "RequiredError" && !command_names(command).empty()) {
    text = path_of(command) + ": give a command: ";
    for (const std::string& name : command_names(command)) {
      text += (text.back() == ' ' ? "" : ", ") + name;
    }
  }
  return fmt::format("{} (see {} --help)", text, path_of(command));
}

}  // namespace sightline::cli
