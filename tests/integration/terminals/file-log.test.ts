import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTerminal, startMachine, type Machine } from '../ssh/machine.ts'
import { startProxy } from '../ssh/proxy.ts'
import { mayMountDisks, mountSmallDisk } from '../../support/small-disk.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { waitFor } from '../../support/wait-for.ts'

let machine: Machine
beforeAll(async () => {
  machine = await startMachine()
})
afterAll(() => machine.end())

async function shell(options: Partial<Parameters<typeof openTerminal>[0]> = {}) {
  const logFile = options.logFile ?? join(await temporaryFolder(), 'train.log')
  const terminal = await openTerminal({
    ...{ address: machine.address, identities: machine.identities, user: machine.service.sshUser },
    ...{ ...options, logFile },
  })
  await terminal.trust()
  await terminal.until('open')
  terminal.type('stty -echo; PS1=; echo re""ady\n')
  await waitFor(() => expect(terminal.text()).toMatch(/^ready\r?\n/m))
  const log = async (): Promise<readonly string[]> => (await readFile(logFile, 'utf8')).split('\n')
  return { ...terminal, logFile, log }
}

type Shell = Awaited<ReturnType<typeof shell>>

async function untilShown(terminal: Shell, mark: string): Promise<void> {
  await waitFor(() => expect(terminal.text().slice(-200)).toContain(mark), { intervalMs: 20 })
}

const stamped = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}[+-]\d\d:\d\d /

test('what a shell shows is in the file: with times, without escape sequences and secrets, to its owner only', async () => {
  const terminal = await shell()
  terminal.remember('hunter2-hunter2')
  await terminal.startLog()
  terminal.type(
    String.raw`printf '\033[31mred\033[0m 1%%\r2%%\r\n'; echo hunter2-"hunter2"; echo EN""D` + '\n',
  )
  await untilShown(terminal, 'END')
  await terminal.stopLog()
  expect(terminal.followed()).toEqual([])
  terminal.type('echo la""ter\n')
  await untilShown(terminal, 'later')
  const [first = '', , ...lines] = await terminal.log()
  expect(first).toMatch(/^Terminal on instance 1 \(train\), logged by Slipway since \d{4}-/)
  expect(lines.slice(0, -1).every((line) => stamped.test(line))).toBe(true)
  // The shell ends the line that was typed, also where it isn't echoed.
  const words = lines.map((line) => line.replace(stamped, '')).filter((line) => line !== '')
  expect(words).toEqual(['2%', '[redacted]', 'END'])
  expect((await stat(terminal.logFile)).mode & 0o777).toBe(0o600)
})

test('a secret that is typed across the end of a row is not in the file, and its line is whole', async () => {
  const terminal = await shell()
  terminal.remember('hunter2-hunter2')
  terminal.type('stty echo; PS1=\'$ \'; echo sh""own\n')
  await untilShown(terminal, 'shown')
  await terminal.startLog()
  // Beyond 80 columns, and beyond them once more.
  const long = `echo ${'x'.repeat(65)} hunter2-hunter2 ${'y'.repeat(70)} > /dev/null; echo EN""D`
  for (const character of `${long}\n`) terminal.type(character)
  await untilShown(terminal, 'END')
  await terminal.stopLog()
  const words = (await terminal.log()).map((line) => line.replace(stamped, ''))
  // The prompt stood there before.
  expect(words).toContain(long.replace('hunter2-hunter2', '[redacted]'))
})

test('a lost connection and the shell after it stand in the same file, which ends with the terminal', async () => {
  const proxy = await startProxy(machine.address)
  const terminal = await shell({ address: proxy.address })
  await terminal.startLog()
  proxy.cut()
  await terminal.until('reconnecting')
  await terminal.until('open')
  terminal.type('exit 3\n')
  await terminal.until('exited')
  await terminal.close()
  const notes = (await terminal.log()).flatMap((line) => /\[Slipway\] (.*)$/.exec(line)?.[1] ?? [])
  expect(notes).toEqual(['Connection lost', 'Reconnected', 'Shell ended (exit code 3)'])
})

test('a flood fills the file to its bound, and all of it is shown', { timeout: 240_000 }, async () => {
  let shown = 0
  const terminal = await shell({
    take: (piece, taken) => {
      shown += piece.length
      taken(shown)
    },
  })
  await terminal.startLog()
  const line = 'epoch 12 loss=0.1234 and some more words, as training writes them to its terminal'
  const bytes = 200_000_000
  const before = shown
  terminal.type(`stty -opost; yes '${line}' | head -c ${bytes}\n`)
  // Beside it the shell switches bracketed paste off and on.
  await waitFor(() => expect(shown - before).toBeGreaterThanOrEqual(bytes), {
    ...{ timeoutMs: 200_000, intervalMs: 50 },
  })
  expect(shown - before).toBeLessThan(bytes + 100)
  expect(terminal.followed()).toMatchObject([{ log: { end: { kind: 'full', mostBytes: 100_000_000 } } }])
  const { size } = await stat(terminal.logFile)
  expect(size).toBeGreaterThan(99_000_000)
  expect(size).toBeLessThan(100_001_000)
  const end = (await readFile(terminal.logFile)).subarray(-300).toString()
  expect(end).toMatch(/\[Slipway\] The log ends here: it has 100 MB\.\n$/)
  await terminal.stopLog()
  expect(terminal.followed()).toEqual([])
})

test.skipIf(!mayMountDisks)('a full disk ends the log, is said, and the terminal goes on', async () => {
  const folder = join(await temporaryFolder(), 'disk')
  const unmount = await mountSmallDisk(folder, 1)
  try {
    const terminal = await shell({ logFile: join(folder, 'train.log') })
    await terminal.startLog()
    terminal.type('yes 0123456789 | head -c 4000000; echo EN""D\n')
    await untilShown(terminal, 'END')
    await waitFor(() => expect(terminal.followed()).toMatchObject([{ log: { end: { kind: 'disk-full' } } }]))
    terminal.type('echo still-$((40 + 2))\n')
    await untilShown(terminal, 'still-42')
  } finally {
    await unmount()
  }
})

test('a folder that cannot be written to is said until its user has seen it, and nothing is logged', async () => {
  const terminal = await shell({ logFile: join(await temporaryFolder(), 'none', 'train.log') })
  await terminal.startLog()
  const detail = expect.stringContaining('ENOENT') as string
  const log = { path: terminal.logFile, end: { kind: 'failed', detail } }
  expect(terminal.followed()).toMatchObject([{ log }])
  await terminal.stopLog()
  expect(terminal.followed()).toEqual([])
})
