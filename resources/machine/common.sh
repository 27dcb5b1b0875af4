#!/bin/sh
# What Slipway's scripts on an instance have in common. It's put before them, in one file.

say() { printf '%s\n' "$*"; }
has() { command -v "$1" >/dev/null 2>&1; }
uptime_now() { { read -r uptime _ </proc/uptime; } 2>/dev/null && now=${uptime%%.*}; }
# Written elsewhere and renamed: nobody reads half of it.
write() { part=$dir/part.$$.${1##*/}; { cat >"$part" && mv -f "$part" "$1"; } 2>/dev/null || { rm -f "$part"; false; }; }
# When a process began, as its id may be given to another one; nothing of one that has ended and is listed yet.
# shellcheck disable=SC2086 # Split into its fields; the name in brackets may hold anything.
began() {
  { { read -r stat <"/proc/$1/stat"; } 2>/dev/null && set -- ${stat##*)}; } || return
  case $1 in Z | X) false ;; *) say "${20}" ;; esac
}
runs() { [ "${2:-}" != "" ] && [ "$(began "$1")" = "$2" ]; }
bounded() { if has timeout; then timeout 10 "$@"; else "$@"; fi 2>/dev/null; }
