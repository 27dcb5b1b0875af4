#!/bin/sh
# Slipway's guard: stops or destroys this instance in time, by the instance's own key, also while Slipway is closed.
#
#   guard.sh arm      reads an order on standard input, and starts the watcher (as Slipway does over SSH)
#   guard.sh state    says how it stands, as one line of JSON
#   guard.sh disarm   ends the watcher and forgets all orders
#
# All is in this file's folder, of mode 0700. An order names the computer that gave it, and replaces only that one's
# former order. Time is that of /proc/uptime, so a wrong clock moves nothing, and an order ends with the instance's run.
# What can't be measured counts as busy. The shell reads this file whole: a change doesn't reach a watcher that runs.
set -u
umask 077

case $0 in */*) dir=${0%/*} ;; *) dir=. ;; esac
dir=$(cd "$dir" && pwd) || exit
version=2 self=$dir/guard.sh orders=$dir/orders marks=$dir/marks
# In seconds: between two looks, of warning, and by how much a key postpones. Tests have others, a bound of the
# processors' load (in percent of a core), and another folder than / for what belongs to the instance.
: "${SLIPWAY_TICK:=15}" "${SLIPWAY_WARNING:=300}" "${SLIPWAY_POSTPONE:=3600}" "${SLIPWAY_LOAD:=}" "${SLIPWAY_ROOT:=}"
devices=$SLIPWAY_ROOT/dev terminals=$SLIPWAY_ROOT/dev/pts cgroup=$SLIPWAY_ROOT/sys/fs/cgroup
# Of the login alone, and of nothing that is started here.
own_key=${CONTAINER_API_KEY-}
unset CONTAINER_API_KEY

say() { printf '%s\n' "$*"; }
refuse() { say "{\"armed\":false,\"why\":\"$1\",\"acted\":[$(deeds)]}"; exit 0; }
has() { command -v "$1" >/dev/null 2>&1; }
uptime_now() { { read -r uptime _ </proc/uptime; } 2>/dev/null && now=${uptime%%.*}; }
# Written elsewhere and renamed: nobody reads half of it.
write() { { cat >"$dir/part.$$" && mv -f "$dir/part.$$" "$1"; } 2>/dev/null || { rm -f "$dir/part.$$"; false; }; }
# When a process began, as its id may be given to another one; nothing of one that has ended and is listed yet.
# shellcheck disable=SC2086 # Split into its fields; the name in brackets may hold anything.
began() {
  { { read -r stat <"/proc/$1/stat"; } 2>/dev/null && set -- ${stat##*)}; } || return
  case $1 in Z | X) false ;; *) say "${20}" ;; esac
}
runs() { [ "${2:-}" != "" ] && [ "$(began "$1")" = "$2" ]; }

# The service, by whatever is there ------------------------------------------------------------------------------------

choose_tool() {
  if has curl; then tool=curl
  elif has wget && wget --version 2>&1 | grep -q 'GNU Wget'; then tool=wget
  else tool=python3 && has python3; fi
}

# request <method> <body>: the reply, and on the last line its status, 000 without one. The key is in a file alone, in
# the form that wget reads: every user of the instance can list arguments.
request() {
  url=$api/instances/$id/
  case $tool in
    curl)
      sed 's/= \(.*\)/= "\1"/' "$key_file" | curl -q -s -g -K - -w '\n%{http_code}\n' -m 20 -X "$1" \
        ${2:+-H "Content-Type: application/json" -d "$2"} "$url" ;;
    wget)
      WGETRC=$key_file wget -S -O - --content-on-error -T 20 -t 1 --max-redirect=0 --method="$1" \
        ${2:+--header="Content-Type: application/json" --body-data="$2"} "$url" 2>&1 |
        awk '{ print } $1 ~ /^HTTP\// { code = $2 } END { print code ? code : "000" }' ;;
    python3)
      python3 -c 'import sys, urllib.request as web, urllib.error
method, body, url, path = sys.argv[1:]
class Stay(web.HTTPRedirectHandler): redirect_request = lambda *_: None
head = {"Authorization": open(path).readline().split(": ")[1].strip(), "Content-Type": "application/json"}
try: reply = web.build_opener(Stay).open(web.Request(url, body.encode() or None, head, method=method), timeout=20)
except urllib.error.HTTPError as error: reply = error
print(reply.read(4000).decode(errors="replace"), reply.getcode(), sep="\n")' "$1" "$2" "$url" "$key_file" ;;
  esac 2>/dev/null | tail -c 4096
}

act() {
  key_file=$dir/key
  if [ "$1" = stop ]; then answer=$(request PUT '{"state":"stopped"}'); else answer=$(request DELETE ''); fi
  answer=$(say "$answer" | tail -n 1)
  # 000 is no number in JSON.
  case $answer in [1-9][0-9][0-9]) ;; *) answer=0 ;; esac
}

write_key() { printf 'header = Authorization: Bearer %s\n# %s\n' "$1" "$2" | write "$key_file" || refuse disk-full; }

# What the service says to a harmless question: the status, and why. It's reached if that may come from it.
ask() {
  reply=$(request GET '')
  status=$(say "$reply" | tail -n 1)
  said=$status$(say "$reply" | grep -oE '"(error|msg)": *"[^"]*"')
  case $status in 404 | 407 | [!24]?? | '') refuse no-service ;; esac
}

# All keys that are there: Slipway's, the login's, the first process's, and the one in use.
keys_here() {
  say "$1" "$own_key"
  tr '\0' '\n' <"$SLIPWAY_ROOT/proc/1/environ" | sed -n 's/^CONTAINER_API_KEY=//p'
  sed -n 's/.*Bearer //p' "$dir/key"
}

# The first one that the service tells from a made-up one; else the first one. It may refuse all alike (5.3 of its API),
# as they may do no more than act.
find_key() {
  first='' proven='false'
  for key in $(keys_here "$1" 2>/dev/null); do
    case $key in *[!A-Za-z0-9._:/+=~@%-]*) continue ;; esac
    if [ "$first" = "" ]; then
      first=$key
      write_key "$(say "$key" | tr 0-9a-fA-F 1-90b-faB-FA)" made-up
      ask
      refusal=$said
    fi
    write_key "$key" true
    ask
    case $refusal in 401* | 403*) [ "$said" = "$refusal" ] || [ "$status" = 429 ] || proven='true' ;; esac
    [ "$proven" = 'false' ] || return 0
  done
  [ "$first" != "" ] || refuse no-key
  write_key "$first" false
}

# Whether it idles -----------------------------------------------------------------------------------------------------

bounded() { if has timeout; then timeout 10 "$@"; else "$@"; fi 2>/dev/null; }

# What a tool lists is what was rented. Without one, whatever may compute is in use.
gpus_idle() {
  loads=none
  if has nvidia-smi; then
    loads=$(bounded nvidia-smi --query-gpu=utilization.gpu --format=csv,noheader,nounits) || loads=
  elif has rocm-smi; then
    loads=$(bounded rocm-smi --showuse) || loads=
    loads=$(say "$loads" | awk -F: '/GPU use \(%\)/ { print $NF }')
  else
    for each in "$devices"/nvidiactl "$devices"/kfd "$devices"/accel* "$devices"/dri/renderD*; do
      [ ! -e "$each" ] || return 2
    done
    return 0
  fi
  for load in ${loads:-none}; do
    case $load in *[!0-9]*) return 2 ;; esac
    [ "$load" -le 5 ] || return 1
  done
}

# A terminal's process whose parent is an SSH server. Its numbers: 136 × 256 and up (proc(5), tty_nr). Without the first
# process or one that is there yet, not all are seen.
nobody_in() {
  own=
  for each in "$terminals"/[0-9]*; do [ -e "$each" ] && own="$own ${each##*/}"; done
  for each in /proc/[0-9]*; do
    if { read -r stat <"$each/stat"; } 2>/dev/null; then say "$stat"; elif [ -e "$each" ]; then say unreadable; fi
  done | awk -v terminals="$own" '
    /^unreadable/ { unseen = 1; next }
    { name = $0; sub(/^[^(]*[(]/, "", name); sub(/[)][^)]*$/, "", name)
      pid = $1; sub(/.*[)] /, ""); server[pid] = name ~ /^(sshd|dropbear)/; parent[pid] = $2; tty[pid] = $5 }
    END {
      count = split(terminals, one, " ")
      for (i = 1; i <= count; i++) own[34816 + one[i] % 256 + int(one[i] / 256) * 1048576] = 1
      for (pid in tty) if ((tty[pid] in own) && server[parent[pid]]) found = 1
      exit found ? 3 : unseen || !(1 in tty) ? 4 : 0
    }' || case $? in 3) return 3 ;; *) return 4 ;; esac
}

no_jobs() {
  for each in "$dir"/jobs/*/pid; do
    [ -r "$each" ] && read -r job <"$each" && kill -0 "$job" 2>/dev/null && return 5
  done
  return 0
}

# Which of the names that rules wait for some process has: as its program, as an argument, or as the last part of a path
# in these. Without the end, not all processes were listed.
list_names() {
  awaited=$(sed -n 's/^rule .* process .* //p' "$orders"/* | tr '\n' ' ')
  [ "$awaited" != "" ] || return 0
  { bounded cat /proc/[0-9]*/cmdline; case $? in [01]) printf '\n:end\n' ;; esac; } | tr '\0' '\n' | awk -v names="$awaited" '
    BEGIN { count = split(names, each); for (i = 1; i <= count; i++) wanted[each[i]] = 1 }
    { last = $0; sub(/.*\//, ""); if ($0 in wanted) found[$0] = 1 }
    END { if (last == ":end") { for (name in found) printf "%s ", name; print last } }' | write "$dir/names"
}

# By a child, one at a time: a tool that hangs may hold up nothing else. For a minute, what was found before counts.
measure() {
  if [ "$looker" = "" ]; then
    rm -f "$dir/names"
    { list_names; ! grep -qs ' idle ' "$orders"/* || { gpus_idle && nobody_in && no_jobs; }; } &
    looker="$! $(began $!)" looked=$now
  fi
  for pause in 0.1 0.3 1 1 1 1; do
    # shellcheck disable=SC2086 # Its id and its beginning.
    runs $looker || break
    sleep "$pause" 2>/dev/null || sleep 1
  done
  # shellcheck disable=SC2086
  if runs $looker; then
    [ $((now - looked)) -lt 60 ] || busy=unmeasured names=
  else
    names=
    { read -r names <"$dir/names"; } 2>/dev/null
    wait "${looker%% *}"
    case $? in 0) busy= ;; 1) busy='busy-gpu' ;; 3) busy='login' ;; 4) busy='unmeasured-login' ;; 5) busy='job' ;; *) busy='unmeasured' ;; esac
    looker=
  fi
  measure_cores
  [ "$busy" != "" ] || busy=$cores
}

# How much of the processors may be in use: a fifth of what the container may have, half a core at most.
bound_of_cores() {
  limit=$(($(nproc 2>/dev/null || say 1) * 100)) quota='' period=''
  { read -r quota period <"$cgroup/cpu.max" ||
    { read -r quota <"$cgroup/cpu/cpu.cfs_quota_us" && read -r period <"$cgroup/cpu/cpu.cfs_period_us"; }; } 2>/dev/null
  case $quota:$period in :* | *: | *[!0-9:]*) ;; *) limit=$((quota * 100 / period < limit ? quota * 100 / period : limit)) ;; esac
  bound=${SLIPWAY_LOAD:-$((limit / 5 < 50 ? limit / 5 : 50))}
}

# By the container's own use (in hundredths of a second) where its cgroup tells; else by the load of the whole machine.
measure_cores() {
  use='' share='' cores='unmeasured-load' at=${uptime%%.*}${uptime#*.}
  if [ -e "$cgroup/cpu.stat" ]; then
    while read -r name value; do [ "$name" != usage_usec ] || use=$((value / 10000)); done <"$cgroup/cpu.stat"
  elif [ -e "$cgroup/cpuacct/cpuacct.usage" ]; then
    read -r value <"$cgroup/cpuacct/cpuacct.usage" && use=$((value / 10000000))
  else
    read -r load _ </proc/loadavg && share=$((${load%.*} * 100 + 1${load#*.} - 100))
  fi
  if [ "$use" != "" ] && [ "$used" != "" ] && [ "$at" -gt "$used_at" ]; then share=$(((use - used) * 100 / (at - used_at))); fi
  used=$use used_at=$at
  [ "$share" = "" ] || { cores=load && [ "$share" -gt "$bound" ]; } || cores=
}

# The watcher ----------------------------------------------------------------------------------------------------------

# One that takes no more bytes must not hold this up.
warn() {
  writers=
  for each in "$terminals"/[0-9]*; do
    [ -w "$each" ] && (printf '\n%s\n' "$1" >>"$each") 2>/dev/null &
    writers="$writers $!"
  done
  sleep 1
  for each in $writers; do kill "$each" 2>/dev/null; done
}

# A terminal's access time is that of the last key pressed there. Its change time tells it from a later one of its name.
key_pressed() {
  before=$keys keys=$(stat -Lc '%n:%Z:%X' "$terminals"/[0-9]* 2>/dev/null) pressed=
  for each in $keys; do
    case "$before" in *"$each"*) ;; *"${each%:*}:"*) pressed=yes ;; esac
  done
  [ "$keys" = "$before" ] || say "$keys" | write "$marks/keys"
  [ "$pressed" = yes ]
}

# Who acted is told for good: what was carried out once isn't carried out again, also when it's ordered once more.
note_deed() {
  { tail -n 19 "$dir/acted" 2>/dev/null; say "$(date +%s) $owner $rule $action $elapsed"; } | write "$dir/acted"
}
take_back_deed() { grep -sv " $owner $rule " "$dir/acted" | write "$dir/acted"; }
# A destroy that began and left the instance there hasn't been carried out.
is_over() { grep -qs " $owner $rule stop " "$dir/acted" && ! grep -qsE ' (acting|done) ' "$marks/$owner.$rule"; }
deeds() {
  comma=
  { while read -r at owner rule action elapsed; do
    printf '%s' "$comma{\"owner\":\"$owner\",\"id\":\"$rule\",\"action\":\"$action\",\"at\":$at,\"elapsed\":$elapsed}"
    comma=,
  done <"$dir/acted"; } 2>/dev/null
}

# What has become of a rule, kept in memory, and on the disk for the next watcher: not before which time it acts, when it
# was warned of, its phase, how often the service was asked, when to ask again, the last answer, and when its process ran.
recall() {
  name=${owner}__$rule
  while [ "${name#*-}" != "$name" ]; do name=${name%%-*}_${name#*-}; done
  eval "mark=\${mark_$name:-}"
  [ "$mark" != "" ] || { read -r mark <"$marks/$owner.$rule"; } 2>/dev/null || mark='0 0 waiting 0 0 0 0'
  # shellcheck disable=SC2086 # Split into its words.
  set -- $mark
  until=$1 warned=$2 phase=$3 tries=$4 next=$5 answer=$6 seen=${7:-0}
}
remember() {
  former=$mark mark="$until $warned $phase $tries $next $answer $seen"
  eval "mark_$name=\$mark"
  [ "$mark" = "$former" ] || say "$mark" | write "$marks/$owner.$rule"
}

# When a rule is due, and back to waiting with it if it is so no more: postponed, or in use again.
find_due() {
  since=0 waits=
  case $condition in
    idle) waits=$busy since=$idle_since ;;
    process)
      case " $names " in
        *" $process "*) waits='process' seen=$now ;;
        *' :end '*) [ "$seen" != 0 ] || waits='process-unseen' ;;
        # What may run hasn't ended.
        *) waits='unmeasured-process' seen=$((seen > 0 ? now : 0)) ;;
      esac
      since=$seen
      [ "$waits" = "" ] || since=$now ;;
  esac
  from=$((since > start ? since : start))
  elapsed=$((now > from ? now - from : 0))
  if [ "$phase" = warned ] && [ "$postponing" = yes ]; then until=$((now + SLIPWAY_POSTPONE)) heeded=yes; fi
  due=$((from + seconds > until ? from + seconds : until))
  case $phase in
    warned) [ $((now - due)) -lt 120 ] || [ $((now - warned - warning)) -lt 120 ] || phase=waiting ;;
    acting | 'done') [ $((due - now)) -le "$warning" ] || take_back_deed ;;
  esac
  [ $((due - now)) -le "$warning" ] || phase=waiting
}

look_at_rule() {
  recall
  find_due
  if [ "$phase" = waiting ] && [ $((due - now)) -le "$warning" ]; then
    phase=warned tries=0 next=0 answer=0
    warn "Slipway: this instance ${action}s itself in $(((warning + 59) / 60)) min. To postpone that by $((SLIPWAY_POSTPONE / 60)) min, press a key here, or run: touch $dir/keep"
    uptime_now
    warned=$now
  fi
  # Never less than a whole warning after it was written.
  [ "$phase" != warned ] || due=$((warned + warning > due ? warned + warning : due))
  left=$((due > now ? due - now : 0))
  if [ "$phase" = warned ] && [ "$left" = 0 ]; then
    phase=acting
    remember
  fi
  case $phase in acting | 'done') [ "$now" -lt "$next" ] || try ;; esac
  remember
  rules="$rules${rules:+,}{\"owner\":\"$owner\",\"id\":\"$rule\",\"action\":\"$action\",\"condition\":\"$condition\",\"seconds\":$seconds"
  rules="$rules,\"elapsed\":$elapsed,\"left\":$left,\"waits\":\"$waits\",\"phase\":\"$phase\",\"tries\":$tries,\"answer\":$answer}"
}

try() {
  grep -qs " $owner $rule " "$dir/acted" || note_deed
  act "$action"
  pause=$((tries < 5 ? 10 << tries : 300)) tries=$((tries + 1)) phase=acting
  # It may have been accepted and not happened.
  case $answer in 2??) phase='done' pause=300 ;; 4??) take_back_deed ;; esac
  next=$((now + pause))
}

watch() {
  uptime_now
  busy=unmeasured names='' looker='' used='' used_at=0 idle_since=$now keys=$(cat "$marks/keys" 2>/dev/null)
  { read -r _ && read -r _ proven; } <"$dir/key"
  choose_tool
  bound_of_cores
  measure_cores
  # The first measure needs some time.
  sleep 1
  while read -r line <"$dir/lock/pid" && [ "$line" = "$$ $(began $$)" ]; do
    uptime_now
    if grep -qsE ' (idle|process) ' "$orders"/*; then measure; else busy=; fi
    uptime_now
    [ "$busy" = "" ] || idle_since=$now
    rules='' revisions='' heeded='' postponing=''
    if key_pressed || [ -e "$dir/keep" ]; then postponing=yes; fi
    for file in "$orders"/*; do
      owner=${file##*/}
      while read -r kind rule action condition seconds start warning process; do
        case $kind in
          rule) look_at_rule ;;
          order) id=$action api=$condition revisions="$revisions${revisions:+,}{\"owner\":\"$owner\",\"revision\":\"$rule\"}" ;;
        esac
      done <"$file"
    done
    [ "$heeded" = "" ] || rm -f "$dir/keep"
    line="\"armed\":true,\"version\":$version,\"id\":$id,\"proven\":$proven,\"uptime\":$now,\"orders\":[$revisions],\"rules\":[$rules]"
    printf '%s\n' "$$ $(began $$)" "$line" | write "$dir/state"
    sleep "$SLIPWAY_TICK"
  done
}

# What Slipway asks ----------------------------------------------------------------------------------------------------

lives() { { read -r pid start <"$dir/lock/pid"; } 2>/dev/null && runs "$pid" "$start"; }

end_watcher() {
  lives && kill "$pid" 2>/dev/null
  rm -rf "$dir/lock"
}

# The folder is the lock: of two at once, one begins a watcher, and both wait for what it says.
start_watcher() {
  if mkdir "$dir/lock" 2>/dev/null; then
    away='nohup'
    has setsid && away='setsid'
    $away sh "$self" watch </dev/null >/dev/null 2>&1 &
  fi
  waited=0
  until [ $((waited += 1)) -gt 50 ] || { lives && read -r by && [ "$by" = "$pid $start" ]; } 2>/dev/null <"$dir/state"; do
    sleep 0.3 2>/dev/null || sleep 1
  done
}

# Whether all was ordered in this run of the instance: a container has its machine's boot, and a first process of its own.
find_run() {
  { uptime_now && run=$(began 1); } || refuse no-proc
  run=$run-$(cat /proc/sys/kernel/random/boot_id 2>/dev/null)
  [ "$run" = "$(cat "$dir/run" 2>/dev/null)" ]
}

state() {
  find_run || refuse not-armed
  { read -r _ && read -r line; } 2>/dev/null <"$dir/state" || refuse not-armed
  running='false'
  ! lives || running='true'
  say "{$line,\"running\":$running,\"now\":$now,\"acted\":[$(deeds)]}"
}

read_order() {
  owner='' revision='' id='' api='' key='' rules='' count=0 line=''
  while [ "$line" != end ]; do
    IFS= read -r line || refuse bad-order
    name=${line%%=*} value=${line#*=}
    # What comes from Slipway is plain; anything else is no order of its.
    case $value in *[!]A-Za-z0-9._:/+=~@%[\ -]*) refuse bad-order ;; esac
    case $name in
      owner) owner=$value ;; revision) revision=$value ;; id) id=$value ;; api) api=$value ;; key) key=$value ;;
      rule) count=$((count + 1)) && read_rule "$value" ;;
    esac
  done
  case $owner in '' | *[!A-Za-z0-9-]*) refuse bad-order ;; esac
  # shellcheck disable=SC2086 # Each is one word.
  set -- $revision $id $api
  { [ $# = 3 ] && is_number "$id"; } || refuse bad-order
}

is_number() { case $1 in '' | 0* | *[!0-9]* | ??????????*) false ;; esac; }

# read_rule <id> <action> after <seconds> <of warning at most>, <id> <action> idle <seconds> <no earlier than>, or
# <id> <action> process <seconds> <no earlier than> <name>: - for none.
# shellcheck disable=SC2086 # Split into its words.
read_rule() {
  set -- $1
  { [ $# -ge 5 ] && is_number "$4" && { [ "$5" = - ] || is_number "$5"; }; } || refuse bad-order
  rule=$1 start=$now warning=$SLIPWAY_WARNING
  case $rule in *[!A-Za-z0-9-]*) refuse bad-order ;; esac
  case $2:$3:$# in
    stop:after:5 | destroy:after:5) [ "$5" = - ] || [ "$5" -ge "$warning" ] || warning=$5 ;;
    stop:idle:5 | destroy:idle:5 | stop:process:6 | destroy:process:6)
      [ $(($4 / 2)) -ge "$warning" ] || warning=$(($4 / 2))
      # It counts from as much later.
      [ "$5" = - ] || [ "$5" -le "$4" ] || start=$((now + $5 - $4)) ;;
    *) refuse bad-order ;;
  esac
  is_over || rules="${rules}rule $rule $2 $3 $4 $start $warning ${6-}
"
}

# A refusal leaves what was armed as it was.
arm() {
  find_run || rm -rf "$orders" "$marks" "$dir/state" "$dir/lock" 2>/dev/null
  # What is empty finds room on a full disk.
  touch "$dir/part.$$" 2>/dev/null || refuse read-only
  { mkdir -p "$orders" "$marks" 2>/dev/null && say "$run" | write "$dir/run"; } || refuse disk-full
  read_order
  if [ "$count" != 0 ]; then
    choose_tool || refuse no-tool
    key_file=$dir/key.$$
    trap 'rm -f "$key_file"' EXIT
    find_key "$key"
    printf 'order %s %s %s\n%s' "$revision" "$id" "$api" "$rules" | write "$orders/$owner" || refuse disk-full
    mv -f "$key_file" "$dir/key"
  else
    rm -f "$orders/$owner"
  fi
  end_watcher
  [ "$(ls "$orders")" != "" ] || disarm
  start_watcher
  state
}

disarm() {
  end_watcher
  # In this run of the instance, what was begun has taken no effect.
  if (find_run) >/dev/null; then
    for each in "$marks"/*.*; do
      grep -qsE ' (acting|done) ' "$each" || continue
      each=${each##*/} owner=${each%%.*} rule=${each#*.}
      take_back_deed
    done
  fi
  rm -rf "$orders" "$marks" "$dir/state" "$dir/names" "$dir"/key*
  refuse not-armed
}

main() {
  case ${1:-} in
    arm) arm ;; state) state ;; disarm) disarm ;;
    watch) say "$$ $(began $$)" | write "$dir/lock/pid" && watch ;;
    *) say "usage: guard.sh arm | state | disarm" >&2; exit 2 ;;
  esac
}
# On one line: bash would read the next one only when the first has ended.
main "$@"; exit
