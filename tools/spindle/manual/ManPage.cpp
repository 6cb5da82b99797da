#include "tools/spindle/manual/Manual.h"

#include "fmt/format.h"
#include "fmt/ranges.h"

#include <cctype>

namespace spindle {

/// What the declarations do not say.
static constexpr const char *closing = R"(.SH FILES
.TP
.I /usr/share/spindle/configs
flows, networks, chips and targets that come with the program.
A flow that is not found where it is named, and what flows name and is nowhere else, is taken from
.IR /usr/share/spindle .
.TP
.I /usr/share/spindle/examples
programs in MLIR for
.BR "spindle synth" .
.TP
.I out/NAME
what a run of the flow
.I NAME.yaml
leaves in the current folder: files of the stages,
.IR report.json ,
.IR report.html .
.SH ENVIRONMENT
.TP
.B SPINDLE_DATA
folder of data sets and models that flows name by relative paths.
.TP
.B SPINDLE_CPU
processor that emulations are compiled for, a name that LLVM knows, such as
.BR x86\-64\-v3 ;
this one if not set.
.SH EXIT STATUS
.TP
.B 0
done.
.TP
.B 1
what the user gave is wrong; one line says where, what was found and what was expected.
.TP
.B 2
a check of the program's own failed.
.SH EXAMPLES
Everything from a trained network to the report, without a file from outside:
.PP
.EX
spindle run configs/flows/digits\-mlp.yaml
.EE
.PP
A loop nest as a circuit, beside its program in simulation (packages
.BR verilator ,
.BR make ,
.BR g++ ):
.PP
.EX
spindle synth /usr/share/spindle/examples/polybench/gemm.mlir \-\-out gemm
spindle cosim gemm
.EE
.SH SEE ALSO
.BR spindle\-opt (1),
.BR spindle\-translate (1),
.BR verilator (1),
.BR yosys (1)
.PP
Formats of all files are described in
.IR /usr/share/doc/spindle/docs .
)";

/// Text of a page: hyphens are those of the keyboard, and no line is taken for a request.
static std::string roff(const std::string &text) {
  std::string result;
  for (char c : text)
    switch (c) {
    case '\\':
      result += "\\e";
      break;
    case '-':
      result += "\\-";
      break;
    case '^':
      result += "\\(ha";
      break;
    case '~':
      result += "\\(ti";
      break;
    default:
      result += c;
    }
  bool isRequest = !result.empty() && (result[0] == '.' || result[0] == '\'');
  return isRequest ? "\\&" + result : result;
}

static std::string bold(const std::string &text) { return "\\fB" + roff(text) + "\\fR"; }
static std::string italic(const std::string &text) { return "\\fI" + roff(text) + "\\fR"; }

/// `.TP`, the names, the summary with choices and preset.
static std::string paragraph(const OptionText &option) {
  std::string head;
  for (const std::string &name : option.names)
    head += (head.empty() ? "" : ", ") + bold(name);
  if (!option.value.empty())
    head += (head.empty() ? "" : " ") + italic(option.value);
  std::string body = roff(option.summary);
  if (!option.choices.empty())
    body += roff(fmt::format("; one of {}", fmt::join(option.choices, ", ")));
  if (!option.preset.empty())
    body += roff(fmt::format(" [{}]", option.preset));
  if (option.isRequired && !option.names.empty())
    body += "; required";
  if (option.isRepeatable)
    body += "; may be repeated";
  return ".TP\n" + head + "\n" + body + "\n";
}

/// Heading and options of a command; one with commands below it is told by them.
static std::string section(const CommandText &program, const CommandText &command) {
  std::string heading = program.name + " " + command.words;
  for (const OptionText &argument : command.arguments)
    heading += " " + argument.value;
  std::string text = ".SS \"" + roff(heading) + "\"\n" + roff(command.summary) + "\n";
  for (const OptionText &argument : command.arguments)
    text += paragraph(argument);
  for (const OptionText &option : command.options)
    text += paragraph(option);
  return text;
}

std::string manPage(const CommandText &program, const std::string &version) {
  std::string title, summary = program.summary;
  for (char c : program.name)
    title += static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  if (!summary.empty()) { // a phrase after the name, not a sentence
    summary[0] = static_cast<char>(std::tolower(static_cast<unsigned char>(summary[0])));
    if (summary.back() == '.')
      summary.pop_back();
  }
  std::string text =
      fmt::format(".\\\" Written by '{0} manual'.\n"
                  ".TH {1} 1 \"\" \"{0} {2}\" \"User Commands\"\n"
                  ".SH NAME\n{3} \\- {4}\n"
                  ".SH SYNOPSIS\n.B {3}\n.I command\n"
                  "[\\fIargument\\fR ...]\n[\\fIoption\\fR ...]\n",
                  program.name, roff(title), version, roff(program.name), roff(summary));
  text +=
      ".SH DESCRIPTION\n"
      "Reads a trained network (ONNX, Keras, MLIR) or a spiking one (NIR, YAML), converts it to "
      "a spiking network,\nemulates it, packs it into the crossbars of a modelled chip, "
      "simulates the chip and writes a report.\nWhat is to be done stands in a flow, a file in "
      "YAML; each of its stages is also a command of its own.\nPrograms over arrays become "
      "circuits in SystemVerilog.\n";
  text += ".SH OPTIONS\n";
  for (const OptionText &option : program.options)
    text += paragraph(option);
  text += ".SH COMMANDS\n";
  for (const CommandText *command : allCommands(program))
    if (command != &program)
      text += section(program, *command);
  return text + closing;
}

} // namespace spindle
