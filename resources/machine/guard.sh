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
version=3 self=$dir/guard.sh orders=$dir/orders
# What may stand in files and orders.
word='[]A-Za-z0-9._:/+=~@%[-]+' plain='[A-Za-z0-9-]+' some='[1-9][0-9]{0,8}' number='(0|[1-9][0-9]{0,8})'
# In seconds: between two looks, of warning, and by how much a key postpones. Tests have others, a bound of the
# processors' load (in percent of a core), and another folder than / for what belongs to the instance.
: "${SLIPWAY_TICK:=15}" "${SLIPWAY_WARNING:=300}" "${SLIPWAY_POSTPONE:=3600}" "${SLIPWAY_LOAD:=}" "${SLIPWAY_ROOT:=}"
devices=$SLIPWAY_ROOT/dev terminals=$SLIPWAY_ROOT/dev/pts cgroup=$SLIPWAY_ROOT/sys/fs/cgroup
# Of the login alone, and of nothing that is started here.
own_key=${CONTAINER_API_KEY-}
unset CONTAINER_API_KEY

refuse() { say "{\"armed\":false,\"why\":\"$1\",\"acted\":[$(deeds)]}"; exit 0; }

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
  if [ "$1" = stop ]; then set -- PUT '{"state":"stopped"}'; else set -- DELETE ''; fi
  answer=$(request "$@" | tail -n 1)
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

# Who acted is told for good: what was carried out once isn't carried out again, also when it's ordered once more.
deed_of() { say "{\"owner\":\"$owner\",\"id\":\"$rule\""; }
take_back_deed() { grep -svF "$(deed_of)" "$dir/acted" | write "$dir/acted"; }
deeds() { grep -s '^{' "$dir/acted" | sed '$!s/$/,/' | tr -d '\n'; }

# What has become of each rule, in a variable, and on the disk for the next watcher: not before which time it acts, when
# it was warned of, its phase, how often the service was asked, when to ask again, the last answer, and when its process ran.
recall() {
  record="
$owner $rule "
  mark=${marks#*"$record"}
  [ "$mark" != "$marks" ] || mark='0 0 waiting 0 0 0 0'
  # shellcheck disable=SC2086 # Split into its words; those after them are of other rules.
  set -- $mark
  until=$1 warned=$2 phase=$3 tries=$4 next=$5 answer=$6 seen=$7
  former="$until $warned $phase $tries $next $answer $seen"
}
remember() {
  mark="$until $warned $phase $tries $next $answer $seen"
  [ "$mark" != "$former" ] || return 0
  rest=${marks#*"$record$former"}
  [ "$rest" = "$marks" ] || marks=${marks%%"$record$former"*}$rest
  former=$mark marks=$marks$record$mark
  say "$marks" | write "$dir/progress"
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
      since=$((seen > 0 ? seen : now)) ;;
  esac
  begin=$((since > ordered_at + from ? since : ordered_at + from))
  warning=$((longest < SLIPWAY_WARNING ? longest : SLIPWAY_WARNING))
  elapsed=$((now > begin ? now - begin : 0))
  if [ "$phase" = warned ] && [ "$postponing" = yes ]; then until=$((now + SLIPWAY_POSTPONE)) heeded=yes; fi
  due=$((begin + seconds > until ? begin + seconds : until))
  case $phase in
    warned) [ $((now - due)) -lt 120 ] || [ $((now - warned - warning)) -lt 120 ] || phase=waiting ;;
    acting | 'done') [ $((due - now)) -le "$warning" ] || take_back_deed ;;
  esac
  [ $((due - now)) -le "$warning" ] || phase=waiting
}

look_at_rule() {
  recall
  # Carried out in an earlier run, and ordered once more. A destroy that left the instance there hasn't been carried out.
  case $former in '0 0 '*) ! grep -qsF "$(deed_of),\"action\":\"stop\"" "$dir/acted" || return 0 ;; esac
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
  [ "$phase $left" != 'warned 0' ] || { phase=acting && remember; }
  case $phase in acting | 'done') [ "$now" -lt "$next" ] || try ;; esac
  remember
  rules="$rules${rules:+,}{\"owner\":\"$owner\",\"id\":\"$rule\",\"action\":\"$action\",\"condition\":\"$condition\",\"seconds\":$seconds"
  rules="$rules,\"elapsed\":$elapsed,\"left\":$left,\"waits\":\"$waits\",\"phase\":\"$phase\",\"tries\":$tries,\"answer\":$answer}"
}

try() {
  grep -qsF "$(deed_of)" "$dir/acted" ||
    { tail -n 19 "$dir/acted" 2>/dev/null; say "$(deed_of),\"action\":\"$action\",\"at\":$(date +%s),\"elapsed\":$elapsed}"; } | write "$dir/acted"
  act "$action"
  pause=$((tries < 5 ? 10 << tries : 300)) tries=$((tries + 1)) phase=acting
  # It may have been accepted and not happened.
  case $answer in 2??) phase='done' pause=300 ;; 4??) take_back_deed ;; esac
  next=$((now + pause))
}

watch() {
  uptime_now
  idle_since=$now key_file=$dir/key
  marks=$(say; grep -sE "^$plain $plain $number $number (waiting|warned|acting|done)( $number){4}\$" "$dir/progress")
  { read -r _ && read -r _ proven; } <"$key_file"
  choose_tool
  start_measuring
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
      while read -r kind rule action condition seconds from longest process; do
        case $kind in
          rule) look_at_rule ;;
          order) id=$action api=$condition ordered_at=$seconds revisions="$revisions${revisions:+,}{\"owner\":\"$owner\",\"revision\":\"$rule\"}" ;;
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

end_watcher() { lives && kill "$pid" 2>/dev/null; rm -rf "$dir/lock"; }

# The folder is the lock: of two at once, one begins a watcher, and both wait for what it says.
start_watcher() {
  if mkdir "$dir/lock" 2>/dev/null; then
    "$(command -v setsid || say nohup)" sh "$self" watch </dev/null >/dev/null 2>&1 &
  fi
  waited=0
  until [ $((waited += 1)) -gt 50 ] || { lives && read -r by && [ "$by" = "$pid $start" ]; } 2>/dev/null <"$dir/state"; do
    sleep 0.3 2>/dev/null || sleep 1
  done
}

# Whether all was ordered in this run of the instance.
find_run() {
  { uptime_now && this_run; } || refuse no-proc
  [ "$run" = "$(cat "$dir/run" 2>/dev/null)" ]
}

state() {
  find_run || refuse not-armed
  { read -r _ && read -r line; } 2>/dev/null <"$dir/state" || refuse not-armed
  if lives; then running='true'; else running='false'; fi
  say "{$line,\"running\":$running,\"now\":$now,\"acted\":[$(deeds)]}"
}

# rule=<id> <stop, destroy> <after, idle, process> <seconds> <how many seconds from now it counts> <of warning at most>
# <the process's name>. What is anything else is no order of Slipway's.
read_order() {
  owner='' revision='' id='' api='' key='' rules='' line=''
  until [ "$line" = end ]; do
    IFS= read -r line || refuse bad-order
    value=${line#*=}
    case ${line%%=*} in
      owner) owner=$value ;; revision) revision=$value ;; id) id=$value ;; api) api=$value ;; key) key=$value ;;
      rule) rules="$rules
rule $value" ;;
    esac
  done
  order="order $revision $id $api $now$rules"
  others=$(printf 'owner %s\nkey %s\n%s\n' "$owner" "$key" "$order" | grep -vcE "^(owner $plain|key ($word)?|\
order $word $some $word $number|rule $plain (stop|destroy) (after|idle) $some $number $some|\
rule $plain (stop|destroy) process $some $number $some $word)\$")
  [ "$others" = 0 ] || refuse bad-order
}

# A refusal leaves what was armed as it was.
arm() {
  find_run || rm -rf "$orders" "$dir/progress" "$dir/keys" "$dir/state" "$dir/lock" 2>/dev/null
  # What is empty finds room on a full disk.
  touch "$dir/part.$$.run" 2>/dev/null || refuse read-only
  { mkdir -p "$orders" 2>/dev/null && say "$run" | write "$dir/run"; } || refuse disk-full
  read_order
  if [ "$rules" != "" ]; then
    choose_tool || refuse no-tool
    key_file=$dir/key.$$
    trap 'rm -f "$key_file"' EXIT
    find_key "$key"
    say "$order" | write "$orders/$owner" || refuse disk-full
    mv -f "$key_file" "$dir/key"
  else rm -f "$orders/$owner"; fi
  end_watcher
  [ "$(ls "$orders")" != "" ] || disarm
  start_watcher
  state
}

disarm() {
  end_watcher
  # In this run of the instance, what was begun has taken no effect.
  ! (find_run) >/dev/null || grep -sE ' (acting|done) ' "$dir/progress" | while read -r owner rule _; do take_back_deed; done
  rm -rf "$orders" "$dir/progress" "$dir/state" "$dir/names" "$dir"/key*
  refuse not-armed
}

# Read whole before it begins: what is written over it meanwhile isn't run.
{
  case ${1:-} in
    arm) arm ;; state) state ;; disarm) disarm ;;
    watch) say "$$ $(began $$)" | write "$dir/lock/pid" && watch ;;
    *) say "usage: guard.sh arm | state | disarm" >&2; exit 2 ;;
  esac; exit
}
