import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { text } from 'node:stream/consumers'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { processesOf } from '../../simulator/machines/processes.ts'
import { call, rent, search, show } from './caller.ts'
import { findTemplates } from './template-caller.ts'

const MAIN = join(import.meta.dirname, '../../simulator/main.ts')
const READY = /^simulator: (http:\/\/127\.0\.0\.1:\d+) key (\S+)$/

interface Started {
  readonly process: ChildProcess
  readonly baseUrl: string
  readonly key: string
}

/** Where the simulator under test puts its files. */
let temporary: string

beforeEach(async () => {
  temporary = await mkdtemp(join(await realpath(tmpdir()), 'command-line-'))
})
// A Node that is ending may still be writing its compile cache there.
afterEach(() => rm(temporary, { recursive: true, maxRetries: 10, retryDelay: 200 }))

const run = (args: readonly string[]): ChildProcess =>
  spawn(process.execPath, [MAIN, ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, TMPDIR: temporary },
  })

/** Starts the simulator and reads its ready line. */
async function start(...args: readonly string[]): Promise<Started> {
  const child = run(['--port', '0', ...args])
  if (child.stdout === null) throw new Error('the simulator has no output')
  const [line]: unknown[] = await once(createInterface({ input: child.stdout }), 'line')
  const [, baseUrl = '', key = ''] = READY.exec(String(line)) ?? []
  expect(line).toMatch(READY)
  return { process: child, baseUrl, key }
}

/** Rents a machine with something running on it, and answers with its folder. */
async function rentRunning(simulator: Started): Promise<string> {
  const { id } = await rent(simulator, { onstart: 'setsid sleep 1000 & sleep 1000' })
  await call(simulator, 'POST', '/_simulator/clock', { body: { advance_seconds: 100 } })
  expect((await show(simulator, id)).actual_status).toBe('running')
  const [root = ''] = await readdir(temporary)
  const folder = join(temporary, root, String(id))
  expect((await processesOf(folder)).length).toBeGreaterThanOrEqual(3)
  return folder
}

it('takes its options', async () => {
  const counts = ['--offers', '7', '--instances', '2', '--templates', '5']
  const simulator = await start('--seed', '3', ...counts, '--boot-seconds', '0,0.1')
  expect(await search(simulator)).toHaveLength(7)
  expect((await call(simulator, 'GET', '/api/v0/instances/')).body).toMatchObject({ instances_found: 2 })
  expect(await findTemplates(simulator)).toHaveLength(5)
  const { id } = await rent(simulator)
  await expect.poll(async () => (await show(simulator, id)).actual_status).toBe('running')
  simulator.process.kill('SIGTERM')
  await once(simulator.process, 'exit')
})

it.each([
  [['--port', 'ten'], '--port: expected a whole number'],
  [['--boot-seconds', '4'], '--boot-seconds: expected two numbers'],
  [['--colour', 'red'], '--colour'],
  [['red'], 'red'],
  [['--port', '99999'], '--port: '],
  [['--offers', '1000000000'], '--offers: '],
])('refuses %j', async (args, reason) => {
  const child = run(args)
  if (child.stderr === null) throw new Error('the simulator has no error output')
  const [complaint] = await Promise.all([text(child.stderr), once(child, 'exit')])
  expect(complaint).toContain(reason)
  expect(complaint).toMatch(/^simulator: .*\n$/)
  expect(child.exitCode).toBe(2)
})

it('says in one line that its port is taken, and leaves nothing behind', async () => {
  const simulator = await start()
  const before = await readdir(temporary)
  const second = run(['--port', new URL(simulator.baseUrl).port])
  if (second.stderr === null) throw new Error('the simulator has no error output')
  const [complaint] = await Promise.all([text(second.stderr), once(second, 'exit')])
  expect(complaint).toMatch(/^simulator: .*address already in use 127\.0\.0\.1:\d+\n$/)
  expect(second.exitCode).toBe(2)
  expect(await readdir(temporary)).toEqual(before)
  simulator.process.kill('SIGTERM')
  await once(simulator.process, 'exit')
})

it.each(['SIGTERM', 'SIGINT'] as const)('ends cleanly on %s', async (signal) => {
  const simulator = await start()
  const folder = await rentRunning(simulator)
  simulator.process.kill(signal)
  await once(simulator.process, 'exit')
  expect(simulator.process.exitCode).toBe(0)
  expect(await processesOf(folder)).toEqual([])
  expect(await readdir(temporary)).toEqual([])
})

it('ends cleanly when the signal goes to the npm that started it', async () => {
  // Without the scripts that run before it, which would look after node_modules.
  const npm = spawn('npm', ['run', '--ignore-scripts', '--silent', 'simulator', '--', '--port', '0'], {
    cwd: join(import.meta.dirname, '../../..'),
    stdio: ['ignore', 'pipe', 'ignore'],
    env: { ...process.env, TMPDIR: temporary },
  })
  const [line]: unknown[] = await once(createInterface({ input: npm.stdout }), 'line')
  expect(line).toMatch(READY)
  // npm and Node have files of their own there.
  const folders = async (): Promise<readonly string[]> =>
    (await readdir(temporary)).filter((name) => name.startsWith('slipway-simulator-'))
  expect(await folders()).toHaveLength(1)
  npm.kill('SIGTERM')
  await expect.poll(folders).toEqual([])
})

it('leaves no sshd, no process and no file behind when it is killed', async () => {
  const simulator = await start()
  const folder = await rentRunning(simulator)
  simulator.process.kill('SIGKILL')
  await expect.poll(() => readdir(temporary)).toEqual([])
  expect(await processesOf(folder)).toEqual([])
})
