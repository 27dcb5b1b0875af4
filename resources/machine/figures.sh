#!/bin/sh
# Slipway's figures of this instance: every so many seconds a line of JSON with what files and tools say here, as they
# say it. What can't be read is missing from it. It changes nothing, and ends when nobody reads it anymore.
#
#   sh -s <seconds> <folder>...   with this text on its standard input, as Slipway runs it over SSH; the folders' disks count
#                                 0 seconds: it says one line
set -u
# By these, nproc would tell of something else.
unset OMP_NUM_THREADS OMP_THREAD_LIMIT
: "${SLIPWAY_ROOT:=}"
pace=$1
shift
cgroup=$SLIPWAY_ROOT/sys/fs/cgroup

has() { command -v "$1" >/dev/null 2>&1; }
# A tool that hangs, or a disk that has gone, holds up the line, and no more than that.
bounded() { if has timeout; then timeout 10 "$@"; else "$@"; fi; }
part() { printf '#%s\n' "$1"; }
# What a tool says, and how it ended where it failed.
tool() {
  part "$1"
  shift
  bounded "$@" 2>&1 || { printf 'exit %s\n' "$?"; false; }
}

look() {
  part uptime; cat /proc/uptime
  part cores; nproc
  # Of the container: cgroup 2, then 1; else of the whole machine.
  part quota; cat "$cgroup/cpu.max" || cat "$cgroup/cpu/cpu.cfs_quota_us" "$cgroup/cpu/cpu.cfs_period_us"
  part use; cat "$cgroup/cpu.stat" || cat "$cgroup/cpuacct/cpuacct.usage" || head -n 1 /proc/stat
  part memory; cat "$cgroup/memory.current" "$cgroup/memory.max" ||
    cat "$cgroup/memory/memory.usage_in_bytes" "$cgroup/memory/memory.limit_in_bytes"
  part cache; grep -h inactive_file "$cgroup/memory.stat" "$cgroup/memory/memory.stat"
  part machine; head -n 5 /proc/meminfo
  part network; cat /proc/net/dev
  tool disks df -kP "$@"
  if has nvidia-smi; then
    tool nvidia nvidia-smi --format=csv,noheader,nounits \
      --query-gpu=index,uuid,name,utilization.gpu,memory.used,memory.total,temperature.gpu,power.draw,power.limit,clocks.sm &&
      tool apps nvidia-smi --format=csv,noheader,nounits --query-compute-apps=gpu_uuid,pid,used_memory,process_name
  elif has rocm-smi; then
    tool rocm rocm-smi --json --showproductname --showuse --showmeminfo vram --showtemp --showpower --showclocks
  fi
}

# Control characters have no place in JSON, and a line has an end.
while line=$(look "$@" 2>/dev/null | head -c 65536 | tr -d '\000-\010\013-\037\177' | tr '\t' ' ' |
  sed 's/\\/\\\\/g; s/"/\\"/g; s/$/\\n/; s/^#\([a-z]*\)\\n$/","\1":"/' | tr -d '\n'); do
  printf '{"version":"1%s"}\n' "$line" || exit
  [ "$pace" -gt 0 ] || exit 0
  sleep "$pace"
done
