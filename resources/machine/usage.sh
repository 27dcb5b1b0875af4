#!/bin/sh
# Whether an instance is in use, as its guard asks. What can't be measured counts as in use.

uptime_now() { { read -r uptime _ </proc/uptime; } 2>/dev/null && now=${uptime%%.*}; }
bounded() { if has timeout; then timeout 10 "$@"; else "$@"; fi 2>/dev/null; }

# What a tool lists is what was rented. Without one, whatever may compute is in use.
gpus_idle() {
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
  cat /proc/[0-9]*/stat 2>/dev/null | awk -v terminals="$own" '
    { name = $0; sub(/^[^(]*[(]/, "", name); sub(/[)][^)]*$/, "", name)
      pid = $1; sub(/.*[)] /, ""); server[pid] = name ~ /^(sshd|dropbear)/; parent[pid] = $2; tty[pid] = $5 }
    END {
      count = split(terminals, one, " ")
      for (i = 1; i <= count; i++) own[34816 + one[i] % 256 + int(one[i] / 256) * 1048576] = 1
      for (pid in tty) if ((tty[pid] in own) && server[parent[pid]]) found = 1
      exit found ? 3 : 1 in tty ? 0 : 4
    }' || case $? in 3) return 3 ;; *) return 4 ;; esac
}

no_jobs() {
  for each in "$dir"/jobs/*/pid; do
    [ -r "$each" ] && { read -r job && read -r start; } <"$each" && runs "$job" "$start" && return 5
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
    { read -r names <"$dir/names"; } 2>/dev/null || names=
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

# A terminal's access time is that of the last key pressed there. Its change time tells it from a later one of its name.
key_pressed() {
  before=$keys keys=$(stat -Lc '%n:%Z:%X' "$terminals"/[0-9]* 2>/dev/null) pressed=
  for each in $keys; do
    case "$before" in *"$each"*) ;; *"${each%:*}:"*) pressed=yes ;; esac
  done
  [ "$keys" = "$before" ] || say "$keys" | write "$dir/keys"
  [ "$pressed" = yes ]
}

start_measuring() {
  busy=unmeasured names='' looker='' used='' used_at=0 keys=$(cat "$dir/keys" 2>/dev/null)
  bound_of_cores
  measure_cores
}
