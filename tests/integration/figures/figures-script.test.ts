import { execFile, spawn } from 'node:child_process'
import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { promisify } from 'node:util'
import { describe, expect, onTestFinished, test } from 'vitest'
import { figuresBetween, readLine, type Reading } from '#services/figures/reading.ts'
import { recorded } from '../../unit/figures/recorded.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

const file = join(import.meta.dirname, '../../../resources/machine/figures.sh')
const shells = { dash: ['dash'], bash: ['bash'], busybox: ['busybox', 'sh'] } as const

/** Runs the script as Slipway does, on its standard input; answers with its lines as they come. */
async function linesOf(
  shell: keyof typeof shells,
  {
    root = '',
    path = '/usr/bin:/bin',
    folders = ['/'],
    seconds = 1,
  }: {
    readonly root?: string
    readonly path?: string
    readonly folders?: readonly string[]
    readonly seconds?: number
  } = {},
) {
  const [program, ...args] = shells[shell]
  const child = spawn(`/usr/bin/${program}`, [...args, '-s', String(seconds), ...folders], {
    env: { PATH: path, SLIPWAY_ROOT: root },
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  onTestFinished(() => void child.kill())
  child.stdin.end(await readFile(file))
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]()
  return {
    child,
    next: async (): Promise<Reading> => {
      const { value } = await lines.next()
      const reading = readLine(String(value))
      if (reading === null) throw new Error(`It is no line: ${value}`)
      return reading
    },
  }
}

/** A folder for the path with the system's programs and these in it. */
async function pathWith(programs: Readonly<Record<string, string>>): Promise<string> {
  const folder = join(await temporaryFolder(), 'bin')
  await mkdir(folder)
  for (const [name, lines] of Object.entries(programs)) {
    await writeFile(join(folder, name), `#!/bin/sh\n${lines}\n`)
    await chmod(join(folder, name), 0o755)
  }
  return `${folder}:/usr/bin:/bin`
}

test('shellcheck finds nothing in the script', async () => {
  await promisify(execFile)('shellcheck', ['--norc', '--shell=sh', file])
})

describe.each(['dash', 'bash', 'busybox'] as const)('%s', (shell) => {
  test('says each second what is used, and ends when nobody reads it', async () => {
    const script = await linesOf(shell, { folders: ['/', '/proc/none'] })
    const [first, second] = [await script.next(), await script.next()]
    expect(second.uptime - first.uptime).toBeGreaterThan(0.9)
    const { cores, memory, disks, network } = figuresBetween(first, second, 0)
    expect(cores?.used).toBeGreaterThanOrEqual(0)
    expect(cores?.limit).toBeGreaterThan(0)
    expect(memory?.usedBytes).toBeGreaterThan(0)
    expect(disks).toMatchObject([{ path: '/' }])
    expect(network).not.toBeNull()
    const ended = new Promise((resolve) => script.child.once('exit', resolve))
    script.child.stdout.destroy()
    await ended
  })

  test('says one line, and ends, with no seconds between two', async () => {
    const script = await linesOf(shell, { seconds: 0 })
    const ended = new Promise((resolve) => script.child.once('exit', resolve))
    expect((await script.next()).memory?.limitBytes).toBeGreaterThan(0)
    expect(await ended).toBe(0)
  })

  test('what tools print comes as it is, also with quotes, backslashes, and what is no text', async () => {
    const path = await pathWith({
      'nvidia-smi': String.raw`case $* in *compute-apps*) printf '%s\n' 'GPU-1, 5, 10, a\b "c"' ;; *) printf '0, GPU-1, A\001 "B" \\ C\tD, 5, 1, 2, 3, 4, 5, 6\n' ;; esac`,
    })
    const { gpus } = await (await linesOf(shell, { path })).next()
    expect(gpus).toMatchObject({
      list: [{ name: String.raw`A "B" \ C D`, usePercent: 5, megahertz: 6 }],
      processes: [{ gpuIndex: 0, pid: 5, name: String.raw`a\b "c"` }],
    })
  })

  test('a tool that fails holds up nothing else', async () => {
    const failing = await pathWith({
      'nvidia-smi': `cat <<'END'\n${recorded.driverError.nvidia.replace('exit 9\n', '')}END\nexit 9`,
    })
    const { gpus, memory } = await (await linesOf(shell, { path: failing })).next()
    expect(gpus).toMatchObject({ kind: 'failed' })
    expect(memory).not.toBeNull()
  })
})

test('what the processors do is within 5 points of /proc over the same time', async () => {
  // Without a cgroup's files, the whole machine counts.
  const script = await linesOf('dash', { root: await temporaryFolder() })
  const load = spawn('/bin/sh', ['-c', 'while :; do :; done'], { stdio: 'ignore' })
  onTestFinished(() => void load.kill('SIGKILL'))
  const times = (stat: string) => (stat.split('\n')[0] ?? '').split(/\s+/).slice(1, 9).map(Number)
  const measureDifference = async (): Promise<number> => {
    const first = await script.next()
    const begun = await readFile('/proc/stat', 'utf8')
    let last = first
    for (let line = 0; line < 8; line += 1) last = await script.next()
    const ended = await readFile('/proc/stat', 'utf8')
    const { cores } = figuresBetween(first, last, 0)
    const spent = times(ended).map((time, at) => time - (times(begun)[at] ?? 0))
    const all = spent.reduce((sum, one) => sum + one, 0)
    const idle = (spent[3] ?? 0) + (spent[4] ?? 0)
    const percent = ((cores?.used ?? 0) / (cores?.limit ?? 1)) * 100
    return Math.abs(percent - ((all - idle) / all) * 100)
  }
  // Again where this test has read much later than the script, as it may on a busy computer.
  let difference = await measureDifference()
  for (let again = 0; again < 2 && difference >= 5; again += 1) difference = await measureDifference()
  expect(difference).toBeLessThan(5)
})

test('a tool that hangs is given up, and the line comes', async () => {
  const path = await pathWith({ 'nvidia-smi': 'exec sleep 100' })
  const { gpus, memory } = await (await linesOf('dash', { path })).next()
  expect(gpus).toMatchObject({ kind: 'failed' })
  expect(memory).not.toBeNull()
})
