#!/bin/sh
# Slipway's jobs: runs a command on this instance, once, and keeps what it writes, also while Slipway is closed.
#
#   start <id> <folder>       reads the length of a command, then the command, and runs it in the folder
#   look <id>                 says how it stands, as one line of JSON
#   follow <id> <from> <mark> prints the mark, then the log from a byte on, until the command has ended
#   cancel <id>               ends the command and all that it started; one that hasn't begun never will
#   forget <id>               removes all of one that doesn't run
#   sums <folder> <mark>      reads names of files, each with a NUL after it, and prints the mark, then a sha256 or - for each
#
# Slipway sends this with each question, and one that runs a command has a copy of its own. All of a job is in its folder:
# `begun` is the lock, `pid` who runs the command (its id, when it began, the instance's run, the project's folder), `log`
# what the command wrote, and `exit.<code>` how it ended. Whoever makes `begun` runs the command, if it isn't canceled, and
# nobody ever makes it again: whoever dies when, the command never runs twice.
set -u

# In seconds: from TERM to KILL. Tests have another one. What comes before this when Slipway sends it has found the folder,
# and has the text of this and the login's umask.
: "${SLIPWAY_GRACE:=10}" "${dir:=}" "${script:=}" "${mask:=}"

refuse() { say "{\"kind\":\"refused\",\"why\":\"$1\"}"; exit 0; }
pause() { sleep "$1" 2>/dev/null || sleep 1; }
# Not by reading them: some programs that count do.
# shellcheck disable=SC2012 # Its name is Slipway's.
bytes() { ls -ln "$1" 2>/dev/null | { read -r _ _ _ _ size _; say "${size:-0}"; }; }
enter() { case $1 in /*) ;; *) set -- "./$1" ;; esac; cd "$1" 2>/dev/null || return; }
reads_pid() { { { read -r pid && read -r start && read -r its_run; } <"$1"; } 2>/dev/null; }
lives() { reads_pid "$1" && [ "$its_run" = "$run" ] && runs "$pid" "$start"; }

# Outlives the connection. What a shell starts in the background ignores INT for good, and so would the command.
detach() {
  if setsid --fork true 2>/dev/null; then setsid --fork "$@" </dev/null
  else "$(command -v setsid || say nohup)" "$@" </dev/null & fi
}

# How a job stands ----------------------------------------------------------------------------------------------------

# Who runs the command, or is about to: a claim becomes `pid`, so it's looked for first.
find_runner() {
  why=vanished
  for each in "$job"/claim.* "$job/pid"; do
    if lives "$each"; then runner=$pid; return; fi
    reads_pid "$each" || continue
    if [ "$its_run" = "$run" ]; then why=vanished; else why=restarted; fi
  done
  runner=
  false
}

# What the command started and still goes on, as id:beginning: what has its mark in the environment, what came from such or
# from the known ones, and while its runner is there, what came from that or is in its group.
members() {
  marked=$(grep -lsF "SLIPWAY_JOB=$job/" /proc/[0-9]*/environ 2>/dev/null)
  # shellcheck disable=SC2086 # On one line.
  cat /proc/[0-9]*/stat 2>/dev/null | awk -v marked="$(say $marked)" -v known="$(say ${1:-})" -v runner="$runner" '
    { pid = $1; sub(/.*[)] /, ""); if ($1 !~ /[ZX]/) { parent[pid] = $2; group[pid] = $3; key[pid] = pid ":" $20 } }
    END {
      count = split(marked, one, " ")
      for (i = 1; i <= count; i++) { split(one[i], part, "/"); if (part[3] in parent) own[part[3]] = 1 }
      count = split(known, one, " ")
      for (i = 1; i <= count; i++) { pid = one[i]; sub(/:.*/, "", pid); if (key[pid] == one[i]) own[pid] = 1 }
      if (runner != "") for (pid in parent) if (group[pid] == runner || parent[pid] == runner) own[pid] = 1
      do {
        more = 0
        for (pid in parent) if (!(pid in own) && (parent[pid] in own)) own[pid] = more = 1
      } while (more)
      # Each behind its parent: a shell whose command is ended before it is begins the next one.
      do {
        more = 0
        for (pid in own) if (!(pid in told) && (!(parent[pid] in own) || parent[pid] in told)) {
          told[pid] = more = 1
          if (pid != runner) print key[pid]
        }
      } while (more)
    }'
}

find_end() {
  for each in "$job"/exit.*; do
    [ -e "$each" ] || continue
    code=${each##*/exit.} canceled='false'
    case $code in *.canceled) code=${code%.canceled} canceled='true' ;; esac
    state=exited
    return 0
  done
  false
}

find_state() {
  if [ ! -d "$job/begun" ]; then state=none
  # Of what was canceled, more than its first process ends.
  elif lives "$job/ender"; then state=running
  # It may end between two looks.
  elif find_end; then :
  elif find_runner || [ "$(members)" != "" ]; then state=running
  elif find_end; then :
  elif [ -e "$job/canceled" ] && [ ! -e "$job/pid" ]; then state=exited code=143 canceled='true'
  else state=lost
  fi
}

tell() {
  find_state
  case $state in
    none) say '{"kind":"none"}' ;;
    running) say "{\"kind\":\"running\",\"bytes\":$(bytes "$job/log")}" ;;
    exited) say "{\"kind\":\"exited\",\"code\":$code,\"isCanceled\":$canceled,\"bytes\":$(bytes "$job/log")}" ;;
    lost) say "{\"kind\":\"lost\",\"why\":\"$why\",\"bytes\":$(bytes "$job/log")}" ;;
  esac
  exit 0
}

# Running it ----------------------------------------------------------------------------------------------------------

# What is empty finds room on a full disk.
make_room() {
  mkdir -p "$job" 2>/dev/null
  { touch "$job/part.$$" && rm -f "$job/part.$$"; } 2>/dev/null || {
    { touch "$dir/part.$$" && rm -f "$dir/part.$$"; } 2>/dev/null && refuse disk-full
    refuse read-only
  }
}

start() {
  [ ! -d "$job/begun" ] || tell
  make_room
  read -r size || exit
  order=$job/order.$$
  { say "$script" | write "$job/job.sh" && cat >"$order"; } 2>/dev/null || { rm -f "$order"; refuse disk-full; }
  # Half a command is none.
  [ "$(bytes "$order")" = "$size" ] || { rm -f "$order"; exit; }
  # Until it has begun, or says why not.
  why=$(detach sh "$job/job.sh" run "$id" "$1" "$mask" "$order" 2>/dev/null)
  [ "$why" = "" ] || refuse "$why"
  find_state
  [ "$state" != none ] || refuse failed
  tell
}

# Two that look for each other at once both find the other one, and neither begins.
folder_is_busy() {
  for name in 'claim.*' pid; do
    # shellcheck disable=SC2231 # As what is there now.
    for each in "$jobs"/*/$name; do
      case $each in "$job"/*) continue ;; esac
      lives "$each" && [ "$(sed 1,3d "$each")" = "$(pwd -P)" ] && return
    done
  done
  false
}

# Several may have been started. Says why it doesn't begin.
run() {
  mask=$2 order=$3
  claim=$job/claim.$$
  trap 'rm -f "$claim" "$order"' EXIT
  enter "$1" || { say failed; exit; }
  { printf '%s\n' "$$" "$(began $$)" "$run" "$(pwd -P)" | write "$claim" && : >>"$job/log" && : >>"$job/code"; } 2>/dev/null ||
    { say disk-full; exit; }
  ! folder_is_busy || { say busy-folder; exit; }
  [ ! -e "$job/canceled" ] || exit
  mkdir "$job/begun" || { [ -d "$job/begun" ] || say disk-full; exit; }
  trap - EXIT
  # Its own, and not that of the command, which gets them as they were.
  trap : HUP INT QUIT TERM USR1 USR2
  mv -f "$claim" "$job/pid"
  mv -f "$order" "$job/command"
  exec >>"$job/log" 2>&1
  if [ -e "$job/canceled" ]; then code=143
  else
    umask "$mask"
    SLIPWAY_JOB=$job/ sh "$job/command"
    code=$?
  fi
  : >"$job/over"
  [ ! -e "$job/canceled" ] || code=$code.canceled
  # That takes no room on a full disk.
  mv -f "$job/code" "$job/exit.$code" 2>/dev/null
  rm -f "$job/pid"
}

# Ending it -----------------------------------------------------------------------------------------------------------

cancel() {
  mkdir -p "$job" 2>/dev/null
  ! find_end || tell
  : >"$job/canceled"
  mkdir "$job/begun" || [ -d "$job/begun" ] || make_room
  find_state
  if [ "$state" = running ] && ! lives "$job/ender"; then
    if [ -f "$job/job.sh" ]; then detach sh "$job/job.sh" end "$id" >/dev/null; else end; fi
  fi
  waited=0
  while find_state && [ "$state" = running ] && [ $((waited += 1)) -le $((SLIPWAY_GRACE + 10)) ]; do pause 1; done
  tell
} 2>/dev/null

# Its own process: a link that is lost, or a shell that ends, ends nothing half.
end() {
  printf '%s\n' "$$" "$(began $$)" "$run" | write "$job/ender"
  found='' asked='' round=0
  while [ $((round += 1)) -le $((SLIPWAY_GRACE * 5 + 25)) ]; do
    known=$found
    find_runner
    found=$(members "$known")
    # Who ran the command now writes how it ended, and nothing that it starts for that is the command's.
    [ ! -e "$job/over" ] || { runner='' && found=$(members "$known"); }
    if [ "$found" = "" ]; then
      # With nothing to be found, the command may be about to begin.
      [ "$runner" != "" ] || break
    elif [ "$round" -gt $((SLIPWAY_GRACE * 5)) ]; then
      for each in $found; do kill -s KILL "${each%%:*}"; done
    elif [ "$asked" = "" ]; then
      # Once: what begins after it is its doing, such as a trap that saves the work.
      for each in $found; do kill -s TERM "${each%%:*}"; done
      asked=yes
    fi
    sleep 0.2 || { sleep 1; round=$((round + 4)); }
  done
  rm -f "$job/ender"
} 2>/dev/null

forget() {
  find_state
  [ "$state" != running ] || tell
  # Another one of the id would find half of it.
  [ ! -d "$job" ] || mv "$job" "$jobs/.gone.$$" || make_room
  rm -rf "$jobs"/.gone.*
  tell
} 2>/dev/null

# What it wrote -------------------------------------------------------------------------------------------------------

follow() {
  say "$2"
  [ -r "$job/log" ] || exit
  exec 3<"$job/log"
  # Moves to that byte of what is open.
  { dd bs=65536 skip="$(($1 / 65536))" count=0 && dd bs=1 skip="$(($1 % 65536))" count=0; } <&3 2>/dev/null
  # The input ends with the link, which may be long before there is something to write.
  exec 4<&0
  { read -r _ <&4; kill -s TERM $$; } >/dev/null 2>&1 &
  while find_state && [ "$state" = running ]; do
    cat <&3
    pause 0.5
  done
  cat <&3
  kill $! 2>/dev/null
}

sums() {
  say "$2"
  if has sha256sum; then tool='sha256sum'
  elif has shasum; then tool='shasum -a 256'
  elif has openssl; then tool='openssl dgst -sha256 -r'
  elif busybox sha256sum </dev/null >/dev/null 2>&1; then tool='busybox sha256sum'
  else exit; fi
  enter "$1" || exit
  # shellcheck disable=SC2016 # Of each shell that it starts.
  xargs -0 sh -c 'for file; do
    sum=
    [ ! -f "$file" ] || sum=$({ $0 <"$file"; } 2>/dev/null)
    sum=${sum%% *}
    printf "%s\n" "${sum:--}"
  done' "$tool"
}

# Read whole before it begins.
{
  case $0 in */job.sh) dir=${0%/jobs/*} ;; esac
  umask 077
  question=$1 id=$2 jobs=$dir/jobs job=$dir/jobs/$2
  shift 2
  # Only what is there is counted.
  [ "$question" = sums ] || this_run || refuse no-procfs
  case $question in
    start) start "$@" ;; look) tell ;; follow) follow "$@" ;; cancel) cancel ;; forget) forget ;; sums) sums "$id" "$@" ;;
    run) run "$@" ;; end) end ;;
  esac
  exit
}
