#!/bin/sh
# What Slipway's scripts on an instance have in common. It's put before them, in one file.

say() { printf '%s\n' "$*"; }
has() { command -v "$1" >/dev/null 2>&1; }
# Written elsewhere and renamed: nobody reads half of it.
write() { part=$dir/part.$$.${1##*/}; { cat >"$part" && mv -f "$part" "$1"; } 2>/dev/null || { rm -f "$part"; false; }; }
# When a process began, as its id may be given to another one; nothing of one that has ended and is listed yet.
# shellcheck disable=SC2086 # Split into its fields; the name in brackets may hold anything.
began() {
  { { read -r stat <"/proc/$1/stat"; } 2>/dev/null && set -- ${stat##*)}; } || return
  case $1 in Z | X) false ;; *) say "${20}" ;; esac
}
# Of the instance: a container has its machine's boot, and a first process of its own.
this_run() { run=$(began 1) && run=$run-$(cat /proc/sys/kernel/random/boot_id 2>/dev/null); [ "$run" != "" ]; }
runs() { [ "${2:-}" != "" ] && [ "$(began "$1")" = "$2" ]; }
