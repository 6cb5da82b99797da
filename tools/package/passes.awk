# The passes of Spindle and their options, from `spindle-opt --help` to paragraphs of roff.
# A pass is indented by six columns, its options by eight.
function roff(text) {
  gsub(/\\/, "\\e", text)
  gsub(/-/, "\\-", text)
  return text
}
function paragraph(line, kind,    name, summary) {
  name = summary = line
  sub(/ +- .*/, "", name)
  sub(/^ +/, "", name)
  sub(/^ *[^ ]+ +- +/, "", summary)
  printf "%s\n\\fB%s\\fR\n%s\n", kind, roff(name), roff(summary)
}
function close_options() {
  if (in_options) print ".RE"
  in_options = 0
}
/^      --[a-z]/ {
  close_options()
  is_ours = /^ +--(snn-|hls-|rtl-|convert-ann-to-snn|convert-affine-to-hls|convert-hls-to-rtl)/
  if (is_ours) paragraph($0, ".TP")
  next
}
/^        --[a-z]/ && is_ours {
  if (!in_options) print ".RS"
  in_options = 1
  paragraph($0, ".TP")
  next
}
!/^       / { close_options(); is_ours = 0 }
END { close_options() }
