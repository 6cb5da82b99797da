# How far ninja is: a bar on a terminal, a line per tenth elsewhere. What compilers print is shown whole, in between.

# One status line per finished step, marked as no compiler marks its lines.
ninja_status='@%f/%t@ '
ninja_status_pattern='@([0-9]+)/([0-9]+)@ '

has_bar() { [ -t 2 ] && [ "${TERM-dumb}" != dumb ]; }

# show_progress [SECONDS]: reads what ninja prints. SECONDS, where known, is the estimate that counts until a twentieth is done.
show_progress() {
  trap '' INT TERM HUP # ends with its input, after ninja
  local expected=${1-} on_terminal='' line='' part code=0
  local begin=$((${EPOCHREALTIME//[!0-9]/} / 1000)) now=0 shown=0 columns=80 sized=0
  local finished=0 total=0 tenth=0 left='' left_at=0
  ! has_bar || on_terminal=yes
  while :; do
    code=0
    if [ -n "$on_terminal" ]; then
      IFS= read -r -t 1 part || code=$?
    else
      IFS= read -r part || code=$?
    fi
    line+=$part
    if [ "$code" -eq 0 ]; then
      take_line
      line=
    elif [ "$code" -gt 128 ]; then # a second without a line
      draw_bar
    else
      [ -z "$line" ] || take_line
      break
    fi
  done
  clear_bar
}

take_line() {
  if [[ $line =~ ^$ninja_status_pattern ]]; then
    finished=${BASH_REMATCH[1]} total=${BASH_REMATCH[2]}
    if [ -n "$on_terminal" ]; then draw_bar; else print_tenth; fi
  elif [[ $line != 'ninja: Entering directory'* && $line != 'ninja: no work to do.' ]]; then
    clear_bar
    printf '%s\n' "$line" >&2
  fi
}

# The rate so far, smoothed, so that a few quick or slow steps do not throw the number about; after a time without one there is nothing to smooth.
update_left() {
  local elapsed=$((now - begin)) fresh
  [ "$finished" -gt 0 ] && [ "$elapsed" -ge 1000 ] && [ $((now - left_at)) -ge 1000 ] || return 0
  if [ $((finished * 20)) -lt "$total" ] && [ -n "$expected" ]; then
    fresh=$((expected * 1000 - elapsed))
  else
    fresh=$((elapsed * (total - finished) / finished))
  fi
  if [ -n "$left" ] && [ $((now - left_at)) -le 5000 ]; then
    left=$(((3 * (left - now + left_at) + fresh) / 4))
  else
    left=$fresh
  fi
  left_at=$now
  [ "$left" -ge 0 ] || left=0
}

# Sets text: 312 of 501 steps, 3 min 05 s left
describe() {
  text="$finished of $total steps"
  [ -z "$left" ] || [ "$finished" -eq "$total" ] || text+=", $(duration $((left / 1000))) left"
}

print_tenth() {
  local text
  [ "$total" -gt 20 ] && [ $((10 * finished / total)) -gt "$tenth" ] || return 0
  tenth=$((10 * finished / total))
  now=$((${EPOCHREALTIME//[!0-9]/} / 1000))
  update_left
  describe
  printf 'spindle: built %d %%, %s\n' $((10 * tenth)) "$text" >&2
}

# At most ten times a second, and not for what takes less than one.
draw_bar() {
  now=$((${EPOCHREALTIME//[!0-9]/} / 1000))
  [ "$total" -gt 0 ] && [ $((now - begin)) -ge 1000 ] && [ $((now - shown)) -ge 100 ] || return 0
  shown=$now
  if [ $((now - sized)) -ge 1000 ]; then
    sized=$now
    columns=$(stty size <&2 2>/dev/null) && columns=${columns#* } || columns=80
    [ "$columns" -gt 0 ] || columns=80
  fi
  update_left
  local text filled=$((30 * finished / total)) hashes
  describe
  printf -v hashes '%*s' "$filled" ''
  printf -v hashes '%-30s' "${hashes// /#}"
  text=$(printf 'building  [%s] %3d %%  %s' "$hashes" $((100 * finished / total)) "$text")
  [ ${#text} -lt "$columns" ] || text="building ${text#*]}"
  printf '\r%s\033[K' "${text:0:columns-1}" >&2
}

clear_bar() {
  [ "$shown" -eq 0 ] || printf '\r\033[K' >&2
  shown=0
}
