// `sightline completion SHELL`: a script that completes this program's commands, options and their
// values, written from what CLI11 knows of them, so that it cannot fall behind. zsh runs the script
// of bash through its own bashcompinit.
#include <fmt/format.h>

#include <string>
#include <vector>

#include "host/cli/commands.h"
#include "host/cli/options.h"

namespace sightline::cli {
namespace {

/// What can follow one command, "sightline world": words for the shell's lists.
struct Entry {
  std::string command;
  std::vector<std::string> subcommands, options;
  struct Value {
    std::string option;
    std::string choices;  ///< "auto cpu cuda"; empty: a file, or whatever else the user has in mind
  };
  std::vector<Value> values;  ///< of the options that take one
};

std::string joined(const std::vector<std::string>& words, const char* between) {
  return fmt::format("{}", fmt::join(words, between));
}

/// The names that a check allows: CLI11 describes it as "{auto,cpu,cuda}".
std::string choices_of(const CLI::Option& option) {
  const std::string type = option.get_type_name();
  const std::size_t begin = type.find('{'), end = type.find('}');
  if (begin == std::string::npos || end == std::string::npos || end < begin) return "";
  std::string words = type.substr(begin + 1, end - begin - 1);
  for (char& c : words) {
    if (c == ',') c = ' ';
  }
  return words;
}

std::vector<std::string> names_of(const CLI::Option& option) {
  std::vector<std::string> names;
  for (const std::string& name : option.get_snames()) names.push_back("-" + name);
  for (const std::string& name : option.get_lnames()) names.push_back("--" + name);
  return names;
}

/// The command and all below it, in the order of the help.
void add_entries(const CLI::App& app, const std::string& command, std::vector<Entry>& entries) {
  Entry entry;
  entry.command = command;
  for (const CLI::Option* option : app.get_options()) {
    for (const std::string& name : names_of(*option)) {
      entry.options.push_back(name);
      if (option->get_items_expected_max() > 0) {
        entry.values.push_back({name, choices_of(*option)});
      }
    }
  }
  const std::vector<const CLI::App*> subcommands =
      app.get_subcommands([](const CLI::App*) { return true; });
  for (const CLI::App* subcommand : subcommands)
    entry.subcommands.push_back(subcommand->get_name());
  entries.push_back(entry);
  for (const CLI::App* subcommand : subcommands) {
    add_entries(*subcommand, command + " " + subcommand->get_name(), entries);
  }
}

std::vector<Entry> entries_of(const CLI::App& app) {
  std::vector<Entry> entries;
  add_entries(app, "sightline", entries);
  return entries;
}

constexpr const char* kHead =
    R"(# Completion of sightline, written by `sightline completion`.
_sightline_words() {
  local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD - 1]}
  local command=sightline subcommands= options= i
  for ((i = 1; i < COMP_CWORD; ++i)); do
    case "$command ${COMP_WORDS[i]}" in
)";
constexpr const char* kValues = R"(    esac
  done
  COMPREPLY=()
  case "$command $previous" in
)";
constexpr const char* kWords = R"(  esac
  case "$command" in
)";
// Without a word of ours, readline's own completion offers files.
constexpr const char* kTail = R"(  esac
  if [[ $current == -* ]]; then
    COMPREPLY=($(compgen -W "$options" -- "$current"))
  else
    COMPREPLY=($(compgen -W "$subcommands" -- "$current"))
  fi
}
complete -o default -F _sightline_words sightline
)";

constexpr const char* kZshHead = R"(#compdef sightline
autoload -U +X bashcompinit && bashcompinit
)";
// As a file on $fpath it becomes the function _sightline, first called to complete something.
constexpr const char* kZshTail = R"(if [[ "${funcstack[1]}" == _sightline ]]; then
  _bash_complete -o default -F _sightline_words
fi
)";

void print_bash(const std::vector<Entry>& entries) {
  std::vector<std::string> paths;
  std::string values, words;
  for (const Entry& entry : entries) {
    for (const std::string& name : entry.subcommands) {
      paths.push_back(fmt::format("\"{} {}\"", entry.command, name));
    }
    for (const Entry::Value& value : entry.values) {
      const std::string offer =
          value.choices.empty()
              ? ""
              : fmt::format("COMPREPLY=($(compgen -W \"{}\" -- \"$current\")); ", value.choices);
      values += fmt::format("    \"{} {}\") {}return ;;\n", entry.command, value.option, offer);
    }
    words += fmt::format("    \"{}\")\n      subcommands=\"{}\"\n      options=\"{}\"\n      ;;\n",
                         entry.command, joined(entry.subcommands, " "), joined(entry.options, " "));
  }
  fmt::print("{}      {}) command+=\" ${{COMP_WORDS[i]}}\" ;;\n{}{}{}{}{}", kHead,
             joined(paths, " | "), kValues, values, kWords, words, kTail);
}

}  // namespace

void add_completion(CLI::App& app) {
  CLI::App* command =
      add_command(app, "completion", "Print a script that completes commands and options");
  command->require_subcommand(1);
  command->footer(
      "An installed sightline has it already where bash-completion and zsh look.\n\n"
      "Example:\n"
      "  source <(sightline completion bash)");
  CLI::App* bash = add_command(*command, "bash", "For bash");
  bash->footer(
      "Examples:\n"
      "  source <(sightline completion bash)          # this shell\n"
      "  sightline completion bash >~/.local/share/bash-completion/completions/sightline");
  bash->callback([&app] { print_bash(entries_of(app)); });
  CLI::App* zsh = add_command(*command, "zsh", "For zsh; ~/.zfunc stands for a folder on $fpath");
  zsh->footer("Example:\n  sightline completion zsh >~/.zfunc/_sightline");
  zsh->callback([&app] {
    fmt::print("{}", kZshHead);
    print_bash(entries_of(app));
    fmt::print("{}", kZshTail);
  });
}

}  // namespace sightline::cli
