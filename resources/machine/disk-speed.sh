#!/bin/sh
# How fast the disk of this instance takes data: writes to a file that has lost its name before the first byte, so that
# nothing of it is left however this ends, and says after each piece how much has reached the disk in what time.
#
#   sh -s <mebibytes> <seconds>   with this text on its standard input, as Slipway runs it over SSH
#
# Lines: `room <bytes> <how>` first, how: fdatasync, fsync, or none, by which dd waits for the disk; then
# `written <bytes> <hundredths of a second>`, each from the beginning. Or one `refused <why>`.
set -u
LC_ALL=C
export LC_ALL
most=$1
seconds=$2
refuse() { printf 'refused %s\n' "$1"; exit 0; }
# By what nobody sets: hundredths of a second since the start.
now() { read -r up _ </proc/uptime && printf '%s' "${up%.*}${up#*.}"; }
free_kib() { df -kP "$1" 2>/dev/null | sed -n '$s/.* \([0-9][0-9]*\)  *[0-9][0-9]*% .*/\1/p'; }

now >/dev/null 2>&1 || refuse no-proc
folder=
for each in "${HOME:-}" /var/tmp /tmp; do
  [ -w "$each" ] || continue
  # Memory is no disk.
  case $(df -kP "$each" 2>/dev/null | tail -n 1) in tmpfs* | '') continue ;; esac
  folder=$each
  break
done
[ -n "$folder" ] || refuse no-folder

# A quarter of what's free at most, with the pattern: the disk is never filled.
free=$(free_kib "$folder")
room=$((${free:-0} / 4096 - 16))
[ "$room" -lt "$most" ] || room=$most
[ "$room" -ge 64 ] || refuse no-room

umask 077
set -C
file=$folder/.slipway-speed-$$
pattern=$file-pattern
trap 'rm -f "$file" "$pattern"' EXIT
trap 'exit 1' HUP INT TERM PIPE
# In a shell of its own, as an exec that fails ends the shell.
if ! (: >"$file") 2>/dev/null || ! (: >"$pattern") 2>/dev/null; then refuse no-folder; fi
set +C
exec 3>>"$file" 4<>"$pattern"
rm -f "$file" "$pattern"
if [ -e "$file" ] || [ -e "$pattern" ]; then refuse no-folder; fi
# What no disk can compress. Each dd opens it anew, from its start.
dd if=/dev/urandom bs=1048576 count=16 >&4 2>/dev/null || refuse no-room
[ -r /proc/self/fd/4 ] || refuse no-proc

how=none
for each in fdatasync fsync; do
  if dd if=/dev/zero bs=4096 count=1 "conv=$each" >&3 2>/dev/null; then how=$each; break; fi
done
printf 'room %s %s\n' "$((room * 1048576))" "$how"

begun=$(now)
written=0
# The first pieces are small, so that a slow disk says something, too.
piece=2
while [ "$written" -lt "$room" ] && [ "$(($(now) - begun))" -lt "$((seconds * 100))" ]; do
  [ "$((room - written))" -ge "$piece" ] || piece=$((room - written))
  if [ "$how" = none ]; then
    dd if=/proc/self/fd/4 bs=1048576 "count=$piece" >&3 2>/dev/null || break
  else
    dd if=/proc/self/fd/4 bs=1048576 "count=$piece" "conv=$how" >&3 2>/dev/null || break
  fi
  written=$((written + piece))
  printf 'written %s %s\n' "$((written * 1048576))" "$(($(now) - begun))"
  [ "$piece" -ge 16 ] || piece=$((piece * 2))
done
