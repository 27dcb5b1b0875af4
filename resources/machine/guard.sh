#!/bin/sh
# Slipway's guard: stops or destroys this instance in time, by the instance's own key, also while Slipway is closed.
#
#   guard.sh arm      reads an order on standard input, and starts the watcher (as Slipway does over SSH)
#   guard.sh state    says how it stands, as one line of JSON
#   guard.sh disarm   ends the watcher and forgets all orders
#
# Everything is in $SLIPWAY_DIR, a folder of mode 0700. An order names the computer that gave it, and replaces only that
# one's former order. Time is counted by /proc/uptime, so that a clock that is wrong or set moves nothing. What can't be
# measured counts as busy. The shell reads this file whole, so that changing it doesn't change a watcher that runs.
set -u
umask 077

: "${SLIPWAY_DIR:=$HOME/.slipway}"
# In seconds: between two looks, of warning, and by how much a key pressed postpones. In percent of a core: what idles.
# Tests have others, and other terminals than all.
: "${SLIPWAY_TICK:=15}" "${SLIPWAY_WARNING:=300}" "${SLIPWAY_POSTPONE:=3600}" "${SLIPWAY_LOAD:=20}"
: "${SLIPWAY_TERMINALS:=/dev/pts}"
version=1 self=$SLIPWAY_DIR/guard.sh orders=$SLIPWAY_DIR/orders

say() { printf '%s\n' "$*"; }
refuse() { say "{\"armed\":false,\"why\":\"$1\"}"; exit 0; }
has() { command -v "$1" >/dev/null 2>&1; }
uptime_now() { read -r uptime _ </proc/uptime && now=${uptime%%.*}; }
# When a process began: its id may be given to another one later. The name in brackets may hold anything.
# shellcheck disable=SC2086 # Split into its fields.
began() { { read -r stat <"/proc/$1/stat"; } 2>/dev/null && set -- ${stat##*)} && say "${20}"; }
# Written elsewhere and renamed: nobody reads half of it.
write() { { cat >"$SLIPWAY_DIR/part.$$" && mv -f "$SLIPWAY_DIR/part.$$" "$1"; } 2>/dev/null; }

# The service, by whatever is there ------------------------------------------------------------------------------------

choose_tool() {
  if has curl; then tool=curl
  elif has wget && wget --version 2>&1 | grep -q 'GNU Wget'; then tool=wget
  else tool=python3 && has python3; fi
}

# The key is in files alone: every user of the instance can list arguments.
write_key() {
  say "$1" | write "$SLIPWAY_DIR/key" &&
    say "header = \"Authorization: Bearer $1\"" | write "$SLIPWAY_DIR/curlrc" &&
    say "header = Authorization: Bearer $1" | write "$SLIPWAY_DIR/wgetrc"
}

# request <method> <body>: the status of the answer, 000 without one.
request() {
  url=$api/instances/$id/
  case $tool in
    curl)
      curl -q -s -o /dev/null -w '%{http_code}' -m 20 -K "$SLIPWAY_DIR/curlrc" -X "$1" \
        ${2:+-H "Content-Type: application/json" -d "$2"} "$url" ;;
    wget)
      WGETRC=$SLIPWAY_DIR/wgetrc wget -S -O /dev/null -T 20 -t 1 --max-redirect=0 --method="$1" \
        ${2:+--header="Content-Type: application/json" --body-data="$2"} "$url" 2>&1 |
        awk '$1 ~ /^HTTP\// { code = $2 } END { print code ? code : "000" }' ;;
    python3)
      python3 -c 'import sys, urllib.request as web, urllib.error
method, body, url, path = sys.argv[1:]
class Stay(web.HTTPRedirectHandler): redirect_request = lambda *_: None
head = {"Authorization": "Bearer " + open(path).read().strip(), "Content-Type": "application/json"}
try: print(web.build_opener(Stay).open(web.Request(url, body.encode() or None, head, method=method), timeout=20).status)
except urllib.error.HTTPError as error: print(error.code)
except OSError: print("000")' "$1" "$2" "$url" "$SLIPWAY_DIR/key" ;;
  esac 2>/dev/null
}

act() {
  if [ "$1" = stop ]; then answer=$(request PUT '{"state":"stopped"}'); else answer=$(request DELETE ''); fi
  case $answer in '' | *[!0-9]*) answer=0 ;; esac
}

# Whether it idles -----------------------------------------------------------------------------------------------------

bounded() { if has timeout; then timeout 10 "$@"; else "$@"; fi 2>/dev/null; }

gpus_busy() {
  if has nvidia-smi; then
    loads=$(bounded nvidia-smi --query-gpu=utilization.gpu --format=csv,noheader,nounits) || loads=
  elif has rocm-smi; then
    loads=$(bounded rocm-smi --showuse | awk -F: '/GPU use \(%\)/ { print $NF }') || loads=
  else
    [ -e /dev/kfd ] || [ -e /dev/nvidiactl ] || return 1
    loads=
  fi
  why='busy-gpu'
  for load in ${loads:-none}; do
    case $load in *[!0-9]*) why=unmeasured; return 0 ;; esac
    [ "$load" -le 5 ] || return 0
  done
  return 1
}

# A terminal's process whose parent is an SSH server. Its numbers: 136 × 256 and up (proc(5), tty_nr).
logged_in() {
  terminals=$(cd "$SLIPWAY_TERMINALS" && echo [0-9]*) why=login
  found=$(cat /proc/[0-9]*/stat 2>/dev/null | awk -v terminals="$terminals" '
    { name = $0; sub(/^[^(]*[(]/, "", name); sub(/[)][^)]*$/, "", name)
      pid = $1; sub(/.*[)] /, ""); server[pid] = name ~ /^(sshd|dropbear)/; parent[pid] = $2; tty[pid] = $5 }
    END {
      count = split(terminals, one, " ")
      for (i = 1; i <= count; i++) own[34816 + one[i] % 256 + int(one[i] / 256) * 1048576] = 1
      for (pid in tty) if ((tty[pid] in own) && server[parent[pid]]) found = 1
      print found ? "yes" : "no"
    }')
  [ "$found" = yes ] || [ "$found" = no ] || why=unmeasured
  [ "$found" != no ]
}

jobs_run() {
  why=job
  for each in "$SLIPWAY_DIR"/jobs/*/pid; do
    [ -r "$each" ] && read -r job <"$each" && kill -0 "$job" 2>/dev/null && return 0
  done
  return 1
}

# By the container's own use where its cgroup tells, as a container shows the load of its whole machine.
cores_busy() {
  why=load share=
  if [ -r /sys/fs/cgroup/cpu.stat ]; then
    while read -r name value; do [ "$name" = usage_usec ] && used=$((value / 10000)); done </sys/fs/cgroup/cpu.stat
  elif [ -r /sys/fs/cgroup/cpuacct/cpuacct.usage ]; then
    read -r value </sys/fs/cgroup/cpuacct/cpuacct.usage && used=$((value / 10000000))
  else
    read -r load _ </proc/loadavg && share=$((${load%.*} * 100 + 1${load#*.} - 100))
  fi
  if [ "$share" = "" ]; then
    past=$((now - used_at))
    share=$((past > 0 && used_at > 0 ? (used - used_before) / past : 0)) used_before=$used used_at=$now
  fi
  [ "$share" -gt $((SLIPWAY_LOAD * $(nproc 2>/dev/null || say 1))) ]
}

# The watcher ----------------------------------------------------------------------------------------------------------

# One that takes no more bytes must not hold this up.
warn() {
  for each in "$SLIPWAY_TERMINALS"/[0-9]*; do
    [ -w "$each" ] && (say "" "$1" >"$each") 2>/dev/null &
    writers="${writers-} $!"
  done
  sleep 1
  for each in ${writers-}; do kill "$each" 2>/dev/null; done
  writers=
}

# A terminal's access time is that of the last key pressed there.
keys() { stat -Lc '%n %X' "$SLIPWAY_TERMINALS"/[0-9]* 2>/dev/null; }

postponed() {
  rm "$SLIPWAY_DIR/keep" 2>/dev/null && return
  [ -n "$warned_keys" ] && [ "$(keys)" != "$warned_keys" ]
}

# One rule, whose numbers are in variables of its own: base_N (counted from), phase_N, tries_N, next_N, answer_N.
look_at_rule() {
  eval "base=\${base_$n:-$start} phase=\${phase_$n:-waiting} tries=\${tries_$n:-0} next=\${next_$n:-0} answer=\${answer_$n:-0}"
  from=$base waits=
  if [ "$condition" = idle ]; then
    [ "$idle_since" -gt "$from" ] && from=$idle_since
    waits=$busy
  fi
  elapsed=$((now > from ? now - from : 0)) left=$((from + seconds - now))
  warning=$((seconds / 2 < SLIPWAY_WARNING ? seconds / 2 : SLIPWAY_WARNING))
  [ "$phase" = warned ] && [ "$left" -gt "$warning" ] && phase=waiting
  if [ "$phase" = warned ] && postponed; then
    base=$((now + SLIPWAY_POSTPONE - seconds)) phase=waiting left=$SLIPWAY_POSTPONE elapsed=0 warned_keys=
  fi
  if [ "$phase" = waiting ] && [ "$left" -le "$warning" ]; then
    phase=warned
    warn "Slipway: this instance is to $action itself in ${left} s. Press a key here, or touch $SLIPWAY_DIR/keep, to postpone that by $((SLIPWAY_POSTPONE / 60)) min."
    warned_keys=$(keys)
  fi
  if [ "$left" -le 0 ] && [ "$now" -ge "$next" ]; then
    if [ "$phase" != acting ] && [ "$phase" != 'done' ]; then
      { tail -n 19 "$SLIPWAY_DIR/acted" 2>/dev/null; say "$(date +%s) $rule $action $condition $elapsed"; } | write "$SLIPWAY_DIR/acted"
    fi
    act "$action"
    tries=$((tries + 1))
    pause=$((tries < 6 ? 5 << tries : 300)) phase=acting
    # It may have been accepted and not happened.
    case $answer in 2??) phase='done' pause=300 ;; esac
    next=$((now + pause))
  fi
  eval "base_$n=$base phase_$n=$phase tries_$n=$tries next_$n=$next answer_$n=$answer"
  rules="$rules${rules:+,}{\"owner\":\"$owner\",\"id\":\"$rule\",\"action\":\"$action\",\"condition\":\"$condition\",\"seconds\":$seconds"
  rules="$rules,\"elapsed\":$elapsed,\"left\":$((left > 0 ? left : 0)),\"waits\":\"$waits\",\"phase\":\"$phase\",\"tries\":$tries,\"answer\":$answer}"
}

watch() {
  uptime_now
  idle_since=$now used_before=0 used_at=0 warned_keys=''
  choose_tool
  while [ "$(cat "$SLIPWAY_DIR/lock/pid" 2>/dev/null)" = "$$ $(began $$)" ]; do
    uptime_now
    rules='' revisions='' n=0
    busy=
    grep -qs ' idle ' "$orders"/* && { gpus_busy || logged_in || jobs_run || cores_busy; } && busy=$why idle_since=$now
    for file in "$orders"/*; do
      owner=${file##*/}
      while read -r kind rule action condition seconds start; do
        case $kind in
          rule) n=$((n + 1)) && look_at_rule ;;
          order) id=$action api=$condition revisions="$revisions${revisions:+,}{\"owner\":\"$owner\",\"revision\":\"$rule\"}" ;;
        esac
      done <"$file"
    done
    say "\"armed\":true,\"version\":$version,\"proven\":false,\"id\":$id,\"uptime\":$now,\"orders\":[$revisions],\"rules\":[$rules]" | write "$SLIPWAY_DIR/state"
    sleep "$SLIPWAY_TICK"
  done
}

# What Slipway asks ----------------------------------------------------------------------------------------------------

lives() {
  read -r pid start 2>/dev/null <"$SLIPWAY_DIR/lock/pid" && [ "$(began "$pid")" = "$start" ]
}

end_watcher() {
  lives && kill "$pid" 2>/dev/null
  rm -rf "$SLIPWAY_DIR/lock"
}

# The folder is the lock: of two at once, one begins a watcher; one of a process that has gone is taken over.
start_watcher() {
  rm -f "$SLIPWAY_DIR/state"
  mkdir "$SLIPWAY_DIR/lock" 2>/dev/null || return 0
  away='nohup'
  has setsid && away='setsid'
  $away sh "$self" watch </dev/null >/dev/null 2>&1 &
  for _ in 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9; do
    [ -s "$SLIPWAY_DIR/state" ] && return
    sleep 0.3 2>/dev/null || sleep 1
  done
}

state() {
  uptime_now || refuse no-proc
  [ -s "$SLIPWAY_DIR/state" ] || refuse not-armed
  read -r line <"$SLIPWAY_DIR/state"
  running='false'
  lives && running='true'
  say "{$line,\"running\":$running,\"now\":$now}"
}

read_order() {
  owner='' revision='' id='' api='' key='' rules=''
  while IFS= read -r line; do
    name=${line%%=*} value=${line#*=}
    # What comes from Slipway is plain; anything else is no order of its.
    case $value in *[!A-Za-z0-9._:/+=~@%\ -]*) refuse bad-order ;; esac
    case $name in
      owner) owner=$value ;; revision) revision=$value ;; id) id=$value ;; api) api=$value ;; key) key=$value ;;
      rule)
        read -r rule action condition seconds earliest <<WORDS
$value
WORDS
        case $action:$condition in stop:after | stop:idle | destroy:after | destroy:idle) ;; *) refuse bad-order ;; esac
        case $seconds$earliest in *[!0-9-]* | '') refuse bad-order ;; esac
        start=$now
        # It acts no earlier than that, so it counts from as much later.
        [ "$earliest" != - ] && [ "$earliest" -gt "$seconds" ] && start=$((now + earliest - seconds))
        rules="${rules}rule $rule $action $condition $seconds $start
" ;;
    esac
  done
  case $owner in '' | *[!A-Za-z0-9-]*) refuse bad-order ;; esac
  case $id in '' | *[!0-9]*) refuse bad-order ;; esac
}

arm() {
  uptime_now || refuse no-proc
  read_order
  { mkdir -p "$orders" && touch "$orders"; } 2>/dev/null || refuse read-only
  if [ -n "$rules" ]; then
    choose_tool || refuse no-tool
    [ -n "$key" ] || key=${CONTAINER_API_KEY:-}
    [ -n "$key" ] || key=$(tr '\0' '\n' 2>/dev/null </proc/1/environ | sed -n 's/^CONTAINER_API_KEY=//p')
    case $key in '' | *[!A-Za-z0-9._:/+=~@%-]*) refuse no-key ;; esac
    write_key "$key" || refuse disk-full
    # It may do no more than act, so any answer but that nobody knows the key shows that the service is reached.
    case $(request GET '') in 401) refuse refused ;; [1234]??) ;; *) refuse no-service ;; esac
    printf 'order %s %s %s\n%s' "$revision" "$id" "$api" "$rules" | write "$orders/$owner" || refuse disk-full
  else
    rm -f "$orders/$owner"
  fi
  end_watcher
  [ -n "$(ls "$orders")" ] || disarm
  start_watcher
  state
}

disarm() {
  end_watcher
  rm -rf "$orders" "$SLIPWAY_DIR/state" "$SLIPWAY_DIR/key" "$SLIPWAY_DIR/curlrc" "$SLIPWAY_DIR/wgetrc"
  refuse not-armed
}

main() {
  case ${1:-} in
    arm) arm ;; state) state ;; disarm) disarm ;;
    watch) say "$$ $(began $$)" | write "$SLIPWAY_DIR/lock/pid" && watch ;;
    *) say "usage: guard.sh arm | state | disarm" >&2; exit 2 ;;
  esac
}
main "$@"
exit
