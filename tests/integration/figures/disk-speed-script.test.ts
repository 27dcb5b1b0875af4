import { execFile, spawn } from 'node:child_process'
import { chmod, mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, onTestFinished, test } from 'vitest'
import { DiskOutput } from '#services/figures/speed-output.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

const file = join(import.meta.dirname, '../../../resources/machine/disk-speed.sh')
const shells = { dash: ['dash'], bash: ['bash'], busybox: ['busybox', 'sh'] } as const
const mebibyte = 1024 * 1024

/** Runs the script as Slipway does, on its standard input, with programs of these lines before the system's. */
async function started(
  shell: keyof typeof shells,
  {
    most = 64,
    seconds = 5,
    programs = {},
  }: {
    readonly most?: number
    readonly seconds?: number
    readonly programs?: Readonly<Record<string, string>>
  } = {},
) {
  const home = await temporaryFolder()
  const bin = join(await temporaryFolder(), 'bin')
  await mkdir(bin)
  for (const [name, lines] of Object.entries(programs)) {
    await writeFile(join(bin, name), `#!/bin/sh\n${lines}\n`)
    await chmod(join(bin, name), 0o755)
  }
  const [program, ...args] = shells[shell]
  const child = spawn(`/usr/bin/${program}`, [...args, '-s', String(most), String(seconds)], {
    env: { PATH: `${bin}:/usr/bin:/bin`, HOME: home },
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  child.stdin.end(await readFile(file))
  return { child, home, ended: new Promise((resolve) => child.once('exit', resolve)) }
}

async function outputOf({ child, home, ended }: Awaited<ReturnType<typeof started>>) {
  const chunks: string[] = []
  child.stdout.setEncoding('utf8').on('data', (text: string) => chunks.push(text))
  await ended
  expect(await readdir(home), 'left behind').toEqual([])
  const output = new DiskOutput(64 * mebibyte)
  for (const line of chunks.join('').split('\n')) output.take(line)
  return output.outcome()
}

test('shellcheck finds nothing in the script', async () => {
  await promisify(execFile)('shellcheck', ['--norc', '--shell=sh', file])
})

describe.each(['dash', 'bash', 'busybox'] as const)('%s', (shell) => {
  test('says what reached the disk, and leaves nothing there', async () => {
    const outcome = await outputOf(await started(shell, { seconds: 60 }))
    expect(outcome).toMatchObject({ kind: 'measured', bytes: 64 * mebibyte, isCached: false })
  })

  test.each([
    [
      'fsync',
      `for each; do case $each in conv=fdatasync) exit 1 ;; esac; done; exec /usr/bin/dd "$@"`,
      false,
    ],
    [
      'what the memory takes',
      `for each; do case $each in conv=*) exit 1 ;; esac; done; exec /usr/bin/dd "$@"`,
      true,
    ],
  ])('a dd that knows no other way goes by %s', async (_, dd, isCached) => {
    expect(await outputOf(await started(shell, { programs: { dd } }))).toMatchObject({
      kind: 'measured',
      isCached,
    })
  })

  test.each([
    ['no-room', { df: `echo 'x 1000000 900000 250000 90% /'` }],
    // What no disk can compress takes room, too.
    ['no-room', { df: `echo 'x 1000000 600000 327000 90% /'` }],
    ['no-folder', { df: `echo 'tmpfs 9000000 0 9000000 0% /'` }],
    ['no-folder', { rm: 'exit 1' }],
  ])('refuses: %s', async (why, programs) => {
    const run = await started(shell, { programs })
    if ('rm' in programs) {
      await run.ended
      // What it could not take away is empty.
      for (const name of await readdir(run.home))
        expect(await readFile(join(run.home, name), 'utf8')).toBe('')
    } else expect(await outputOf(run)).toEqual({ kind: 'refused', why })
  })

  test('killed in the middle, or with nobody who reads it, it leaves nothing', async () => {
    for (const end of ['SIGKILL', 'SIGTERM', 'deaf'] as const) {
      const run = await started(shell, { most: 4096 })
      await new Promise((resolve) => run.child.stdout.once('data', resolve))
      expect(await readdir(run.home), end).toEqual([])
      if (end === 'deaf') run.child.stdout.destroy()
      else run.child.kill(end)
      await run.ended
      expect(await readdir(run.home), end).toEqual([])
    }
  })
})
