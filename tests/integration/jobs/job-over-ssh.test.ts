import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { appendFile, mkdir, readdir, readFile, readlink, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { Clock } from '#domain/base/clock.ts'
import type { SshAddress } from '#domain/ssh/ssh.ts'
import { jobsOverSsh } from '#services/jobs/on-instance/jobs-over-ssh.ts'
import { makeEd25519KeyPair } from '#services/ssh/keys/key-pair.ts'
import { systemClock } from '../../../src-main/app/system-clock.ts'
import { startDropbear } from '../../ssh-servers/dropbear.ts'
import { waitFor } from '../../support/wait-for.ts'
import { connectionsTo, instanceId } from '../ssh/servers/connect.ts'
import { startProxy } from '../ssh/proxy.ts'
import { startSshd } from '../ssh/sshd.ts'
import { scripts } from './job-instance.ts'

const { privateKey, publicKey } = makeEd25519KeyPair('test')
const authorizedKeys = [publicKey.line]
const forever = new AbortController().signal

/** The product's own way to an instance. A link that is lost is made again with the next lease. */
async function jobsAt(address: SshAddress, clock: Clock = systemClock) {
  const connections = await connectionsTo(address, privateKey)
  const lease = async () => {
    const one = await connections.acquire(instanceId, AbortSignal.timeout(60_000))
    onTestFinished(one.release)
    return one
  }
  return {
    jobs: async () =>
      jobsOverSsh({
        lease: await lease(),
        ...{ scripts, clock, randomId: () => crypto.randomUUID() },
      }),
  }
}

async function instance(clock?: Clock) {
  const { address, machine, countProcesses } = await startSshd({ authorizedKeys })
  const proxy = await startProxy(address)
  const { jobs } = await jobsAt(proxy.address, clock)
  await mkdir(join(machine.home, 'project'))
  return { ...{ proxy, jobs, countProcesses }, home: machine.home }
}

async function sha256Of(file: string): Promise<string> {
  const hash = createHash('sha256')
  await pipeline(createReadStream(file), hash)
  return hash.digest('hex')
}

/** Processes that have a file open. */
async function readersOf(file: string): Promise<readonly number[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name))
  const reading = pids.map(async (pid) => {
    const open = await readdir(`/proc/${pid}/fd`).catch(() => [])
    const paths = await Promise.all(open.map((fd) => readlink(`/proc/${pid}/fd/${fd}`).catch(() => '')))
    return paths.includes(file) ? [Number(pid)] : []
  })
  return (await Promise.all(reading)).flat()
}

const ignore = () => Promise.resolve()

/** Follows a log through all that happens to the connection: what came of it, and how often it was begun. */
async function followThrough(
  jobs: () => Promise<ReturnType<typeof jobsOverSsh>>,
  jobId: string,
  onBegun: (times: number) => void,
) {
  const hash = createHash('sha256')
  let [from, begun] = [0, 0]
  for (;;) {
    try {
      const one = await jobs()
      begun += 1
      onBegun(begun)
      const state = await one.follow(
        { jobId, from },
        async (bytes) => {
          hash.update(bytes)
          from += bytes.length
          // As to write it to a disk.
          if (begun % 2 === 0) await sleep(1)
        },
        forever,
      )
      return { state, begun, bytes: from, sha256: hash.digest('hex') }
    } catch {
      await sleep(50)
    }
  }
}

test('50 MB of log are here byte by byte, though the connection is lost again and again', async () => {
  const { jobs, proxy, home } = await instance()
  const command =
    'for i in 1 2 3 4 5 6 7 8 9 10; do head -c 5000000 /dev/urandom; echo "$i" >&2; sleep 0.3; done; until [ -e go-on ]; do sleep 0.1; done; exit 3'
  const one = await jobs()
  expect(await one.start({ jobId: 'a', folder: 'project', command }, forever)).toMatchObject({
    kind: 'running',
  })
  let times = 0
  const following = followThrough(jobs, 'a', (begun) => (times = begun))
  for (let cut = 0; cut < 8; cut += 1) {
    await waitFor(() => expect(times).toBeGreaterThan(cut))
    await sleep(200 + Math.random() * 500)
    proxy.cut()
  }
  await writeFile(join(home, 'project', 'go-on'), '')
  const { state, begun, bytes, sha256 } = await following
  const log = join(home, '.slipway/jobs/a/log')
  expect(bytes).toBe(50_000_021)
  expect(state).toEqual({ kind: 'exited', code: 3, isCanceled: false, bytes })
  expect(sha256).toBe(await sha256Of(log))
  expect(begun).toBeGreaterThan(8)
})

test('a connection that is lost leaves nothing that follows, and the command goes on', async () => {
  const { jobs, proxy, countProcesses } = await instance()
  const one = await jobs()
  await one.start({ jobId: 'a', folder: 'project', command: 'echo begun; exec sleep 1000' }, forever)
  await waitFor(async () => expect(await one.look('a', forever)).toEqual({ kind: 'running', bytes: 6 }))
  const before = await countProcesses()
  const following = one.follow({ jobId: 'a', from: 0 }, ignore, forever).catch(() => 'lost')
  await waitFor(async () => expect(await countProcesses()).toBeGreaterThan(before))
  proxy.cut()
  expect(await following).toBe('lost')
  const again = await jobs()
  await waitFor(async () => expect(await countProcesses()).toBe(before))
  expect(await again.look('a', forever)).toEqual({ kind: 'running', bytes: 6 })
  // One that isn't followed any more does so, too.
  const end = new AbortController()
  const left = again.follow({ jobId: 'a', from: 0 }, ignore, end.signal).catch(() => 'left')
  await waitFor(async () => expect(await countProcesses()).toBeGreaterThan(before))
  end.abort(new Error('left'))
  expect(await left).toBe('left')
  await waitFor(async () => expect(await countProcesses()).toBe(before))
  expect(await again.cancel('a', forever)).toMatchObject({ kind: 'exited', isCanceled: true })
})

test('of 20 orders at once, and of those whose replies are lost, one starts the command', async () => {
  const { jobs, proxy, home } = await instance()
  const order = { jobId: 'a', folder: 'project', command: `printf x >>~/runs; echo done` }
  const one = await jobs()
  // A server takes ten sessions of one connection, as it is set by itself.
  const orders = Array.from({ length: 20 }, () => one.start(order, forever).catch(() => null))
  await sleep(100)
  proxy.cut()
  await Promise.all(orders)
  const again = await jobs()
  await Promise.all(Array.from({ length: 5 }, () => again.start(order, forever)))
  expect(await again.follow({ jobId: 'a', from: 0 }, ignore, forever)).toEqual({
    ...{ kind: 'exited', code: 0, isCanceled: false, bytes: 5 },
  })
  expect(await readFile(join(home, 'runs'), 'utf8')).toBe('x')
})

test('an order that is given up starts the command, or not, and ends none that was started', async () => {
  const { jobs, home } = await instance()
  const one = await jobs()
  for (let index = 0; index < 12; index += 1) {
    const order = { jobId: `job-${index}`, folder: 'project', command: 'sleep 0.2; printf x >>~/runs' }
    await one.start(order, AbortSignal.timeout(Math.round(Math.random() * 300))).catch(() => null)
    await one.start(order, forever)
    expect(await one.follow({ jobId: order.jobId, from: 0 }, ignore, forever)).toMatchObject({
      ...{ kind: 'exited', code: 0 },
    })
    expect(await readFile(join(home, 'runs'), 'utf8')).toHaveLength(index + 1)
  }
})

test('who is slow to take the log holds it back, and what they throw ends it', async () => {
  const { jobs, home } = await instance()
  const one = await jobs()
  const command = 'head -c 30000000 /dev/zero'
  await one.start({ jobId: 'a', folder: 'project', command }, forever)
  const log = join(home, '.slipway/jobs/a/log')
  await waitFor(async () => expect((await stat(log)).size).toBe(30_000_000))
  let [atOnce, most, bytes] = [0, 0, 0]
  const state = await one.follow(
    { jobId: 'a', from: 10 },
    async (piece) => {
      most = Math.max(most, (atOnce += 1))
      if (bytes === 0) await sleep(500)
      bytes += piece.length
      atOnce -= 1
    },
    forever,
  )
  expect(state).toMatchObject({ kind: 'exited', code: 0 })
  expect({ bytes, most }).toEqual({ bytes: 29_999_990, most: 1 })
  const full = new Error('disk full')
  const failing = one.follow({ jobId: 'a', from: 0 }, () => Promise.reject(full), forever)
  await expect(failing).rejects.toBe(full)
})

test('what a login says by itself is neither log nor answer', async () => {
  const { jobs, home } = await instance()
  await appendFile(join(home, '.bashrc'), '\necho "{\\"kind\\":\\"none\\"}"; seq 1000\n')
  const one = await jobs()
  await one.start({ jobId: 'a', folder: 'project', command: `echo '{"kind":"none"}'; exit 2` }, forever)
  const pieces: Uint8Array[] = []
  const state = await one.follow({ jobId: 'a', from: 0 }, async (bytes) => void pieces.push(bytes), forever)
  expect(Buffer.concat(pieces).toString()).toBe('{"kind":"none"}\n')
  expect(state).toEqual({ kind: 'exited', code: 2, isCanceled: false, bytes: 16 })
})

test('files have their sums, by their paths, many at once', async () => {
  const { jobs, home } = await instance()
  const one = await jobs()
  const names = Array.from({ length: 1_200 }, (_, index) => `file ${index}\n`)
  for (const name of names) await writeFile(join(home, 'project', name), name)
  const sums = await one.hash('project', [...names, 'missing', '../project'], forever)
  const own = names.map((name) => [name, createHash('sha256').update(name).digest('hex')] as const)
  expect(sums).toEqual(new Map(own))
  expect(await one.hash('nowhere', names.slice(0, 3), forever)).toEqual(new Map())
})

test('files that take for ever to read have no sums, and hold nobody up', async () => {
  // Hours pass at once.
  const sleep: Clock['sleep'] = (ms, signal) => systemClock.sleep(ms > 600_000 ? 500 : ms, signal)
  const { jobs, home } = await instance({ ...systemClock, sleep })
  const bin = join(home, '../root/bin')
  await mkdir(bin, { recursive: true })
  await writeFile(join(bin, 'sha256sum'), '#!/bin/sh\nexec sleep 1000\n', { mode: 0o755 })
  await writeFile(join(home, 'project', 'a'), 'a')
  const one = await jobs()
  await expect(one.hash('project', ['a'], forever)).rejects.toMatchObject({ problem: { kind: 'timeout' } })
})

test('the last of a log is fetched also when what follows it is killed at the end', async () => {
  const { jobs, home } = await instance()
  const one = await jobs()
  const order = { jobId: 'a', folder: 'project', command: 'head -c 20000000 /dev/zero' }
  await one.start(order, forever)
  await waitFor(async () => expect(await one.look('a', forever)).toMatchObject({ kind: 'exited' }))
  const log = join(home, '.slipway/jobs/a/log')
  let [bytes, killed] = [0, 0]
  const take = async (piece: Uint8Array): Promise<void> => {
    bytes += piece.length
    if (killed > 0) return
    for (const pid of await readersOf(log)) {
      process.kill(pid, 'SIGKILL')
      killed += 1
    }
  }
  const state = await one.follow({ jobId: 'a', from: 0 }, take, forever)
  expect(killed).toBeGreaterThan(0)
  expect(state).toEqual({ kind: 'exited', code: 0, isCanceled: false, bytes })
  expect(bytes).toBe(20_000_000)
})

describe('an instance that isn’t what it should be', () => {
  test.each([
    ['says anything', 'echo hi'],
    ['says too much', 'yes'],
    ['says nothing', 'true'],
    ['has another state', `echo '{"kind":"exited","code":256,"isCanceled":true,"bytes":1}'`],
  ])('%s', async (_, line) => {
    const { jobs, home } = await instance()
    const bin = join(home, '../root/bin')
    await mkdir(bin, { recursive: true })
    await writeFile(join(bin, 'sh'), `#!/bin/bash\n${line} | head -c 300000\n`, { mode: 0o755 })
    const one = await jobs()
    const none = { kind: 'refused', why: 'no-answer' }
    expect(await one.look('a', forever)).toEqual(none)
    expect(await one.start({ jobId: 'a', folder: '.', command: 'true' }, forever)).toEqual(none)
    expect(await one.hash('.', ['a'], forever)).toEqual(new Map())
    const log: Uint8Array[] = []
    await one.follow({ jobId: 'a', from: 0 }, async (bytes) => void log.push(bytes), forever)
    expect(log).toEqual([])
  })
})

test('dropbear', async () => {
  const server = await startDropbear({ authorizedKeys, shell: '/bin/sh' })
  const { jobs } = await jobsAt(server.address)
  const one = await jobs()
  await one.start({ jobId: 'a', folder: '.', command: 'sleep 1; seq 100000' }, forever)
  const hash = createHash('sha256')
  const state = await one.follow({ jobId: 'a', from: 0 }, async (bytes) => void hash.update(bytes), forever)
  expect(state).toEqual({ kind: 'exited', code: 0, isCanceled: false, bytes: 588_895 })
  expect(hash.digest('hex')).toBe(await sha256Of(join(server.home, '.slipway/jobs/a/log')))
  await one.forget('a', forever)
  expect(await one.look('a', forever)).toEqual({ kind: 'none' })
})
