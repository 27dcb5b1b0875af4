import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { scriptText } from '#services/guards/on-instance/script-text.ts'
import { usageOfTree, workOf } from './app/process-tree.ts'
import { valueBeside, type Figure } from './figure.ts'
import type { BenchOptions } from './options.ts'
import { takeTurns } from './rounds.ts'

const scripts = join(import.meta.dirname, '../../resources/machine')
/** What the script does by itself: seconds between two looks. */
const pause = 15
const looksAnHour = 3600 / pause

/** What the script that watches over an instance takes of it, beside a shell that only sleeps as often. */
export async function measureGuard({ rounds, scale }: BenchOptions): Promise<Figure[]> {
  // What processes use is read from /proc.
  if (process.platform !== 'linux') return []
  const looks = Math.max(3, Math.round(40 * scale))
  const taken = await takeTurns(rounds, {
    guard: () => measureWatcher(looks),
    loop: () => measureLoop(looks * 10),
  })
  const figure = (name: string, what: keyof Taken, unit: string): Figure =>
    valueBeside({
      name,
      subject: taken.guard.map((one) => one[what]),
      yardstick: taken.loop.map((one) => one[what]),
      against: 'a loop of sleep',
      unit,
    })
  return [
    figure('rules on an instance, one of them by idleness: processor an hour', 'cpuSecondsAnHour', 's'),
    figure('rules on an instance: memory between two looks', 'memoryMb', 'MB'),
  ]
}

interface Taken {
  readonly cpuSecondsAnHour: number
  readonly memoryMb: number
}

async function measureWatcher(looks: number): Promise<Taken> {
  const resting = await startWatcher('dash', pause)
  // It has just looked, and sleeps.
  await sleep(1_000)
  const { memoryMb } = await usageOfTree(resting.pid)
  await resting.end()
  const busy = await startWatcher('dash', 0.1)
  const [from, begun] = [await busy.looks(), await workOf(busy.pid)]
  while ((await busy.looks()) < from + looks) await sleep(100)
  const perLook = ((await workOf(busy.pid)) - begun) / ((await busy.looks()) - from)
  await busy.end()
  return { cpuSecondsAnHour: perLook * looksAnHour, memoryMb }
}

async function measureLoop(turns: number): Promise<Taken> {
  const loop = spawn('dash', ['-c', 'read -r go; while :; do sleep 0.05; echo; done'], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const pid = Number(loop.pid)
  let done = 0
  loop.stdout.on('data', (bytes: Buffer) => (done += bytes.length))
  const begun = await workOf(pid)
  loop.stdin.end('\n')
  while (done < turns) await sleep(10)
  const perTurn = ((await workOf(pid)) - begun) / done
  loop.kill()
  const resting = spawn('dash', ['-c', 'while :; do sleep 15; done'])
  await sleep(1_000)
  const { memoryMb } = await usageOfTree(Number(resting.pid))
  resting.kill()
  return { cpuSecondsAnHour: perTurn * looksAnHour, memoryMb }
}

/** A watcher with a rule by time and one by idleness, neither of which is due soon, that looks every so many seconds. */
export async function startWatcher(shell: 'dash' | 'busybox', tick: number) {
  const folder = await mkdtemp(join(tmpdir(), 'slipway-bench-'))
  const at = (name: string): string => join(folder, name)
  for (const made of ['bin', 'root', 'guard']) await mkdir(at(made), { mode: 0o700 })
  await writeFile(at('guard/guard.sh'), await scriptText(scripts))
  // As on a machine that was rented, but for its key.
  for (const name of ['dev', 'sys']) await symlink(`/${name}`, join(at('root'), name))
  await symlink(shell === 'dash' ? '/usr/bin/dash' : '/usr/bin/busybox', at('bin/sh'))
  await writeFile(at('bin/nvidia-smi'), `#!/bin/sh\necho >>${at('looks')}\necho 0\n`)
  await chmod(at('bin/nvidia-smi'), 0o755)
  const service = createServer((_, response) => response.writeHead(403).end())
  service.listen(0, '127.0.0.1')
  await once(service, 'listening')
  const { port } = service.address() as AddressInfo
  const run = async (command: string, input = ''): Promise<string> => {
    const child = spawn(at('bin/sh'), [at('guard/guard.sh'), command], {
      env: {
        ...{ PATH: `${at('bin')}:/usr/bin:/bin`, HOME: folder },
        ...{ SLIPWAY_ROOT: at('root'), SLIPWAY_TICK: String(tick) },
      },
      stdio: ['pipe', 'pipe', 'inherit'],
    })
    child.stdin.end(input)
    return text(child.stdout)
  }
  const order = [
    ...['owner=bench', 'revision=r', 'id=5', `api=http://127.0.0.1:${port}/api/v0`, 'key=bench'],
    ...['rule=a stop after 999999 0 300', 'rule=b stop idle 999999 0 300', 'end', ''],
  ]
  const answer = await run('arm', order.join('\n'))
  service.close()
  service.closeAllConnections()
  if (!answer.includes('"running":true')) throw new Error(`No rule is active: ${answer}`)
  const [pid] = (await readFile(at('guard/lock/pid'), 'utf8')).split(' ')
  return {
    pid: Number(pid),
    /** How often it has looked. */
    looks: async () => (await readFile(at('looks'))).length,
    end: async () => {
      await run('disarm')
      await rm(folder, { recursive: true })
    },
  }
}
