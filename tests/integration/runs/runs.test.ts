import { readFile, readdir, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import type { Notification } from '#domain/notifications/notification.ts'
import type { Run, RunPhase } from '#domain/runs/run.ts'
import { createConnections } from '#services/ssh/connection/connections.ts'
import { makeEd25519KeyPair } from '#services/ssh/keys/key-pair.ts'
import { Runs } from '#services/runs/runs.ts'
import { systemClock } from '../../../src-main/app/system-clock.ts'
import { memoryLog } from '../../support/memory-log.ts'
import { patientClock } from '../../support/patient-clock.ts'
import { startProxy, type Proxy } from '../ssh/proxy.ts'
import { startSshd, user } from '../ssh/sshd.ts'
import { waitFor } from '../../support/wait-for.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

const { privateKey, publicKey } = makeEd25519KeyPair('test')

/** Instances 1 to `count`, each with a real sshd behind a proxy of its own. */
async function startWorld(count: number, { trusted = true, clock = systemClock } = {}) {
  const homeFolder = await temporaryFolder()
  const ways = new Map<number, Proxy>()
  const homes = new Map<number, string>()
  for (let id = 1; id <= count; id += 1) {
    const { address, machine } = await startSshd({ authorizedKeys: [publicKey.line] })
    ways.set(id, await startProxy(address))
    homes.set(id, machine.home)
  }
  const log = memoryLog()
  const told: Notification[] = []
  const connections = createConnections({
    findTarget: (id) =>
      Promise.resolve({ kind: 'address', address: ways.get(id)?.address ?? { host: '127.0.0.1', port: 1 } }),
    user: () => user,
    identities: () =>
      Promise.resolve({ keys: [{ name: 'test key', privateKey }], agentSocket: null, skipped: [] }),
    locale: () => ({ LANG: 'eo.UTF-8' }),
    knownHostsFile: join(homeFolder, 'known_hosts'),
    clock: systemClock,
    random: () => 0.5,
    log,
  })
  const runs = new Runs({
    connections,
    clock,
    log,
    // Processes on this computer are looked for by it, and other tests have some, too.
    randomId: () => crypto.randomUUID(),
    homeFolder,
    onRunning: () => undefined,
    notify: (notification) => told.push(notification),
  })
  onTestFinished(() => runs.dispose())

  const trust = (id: number, answer = true): void => {
    const state = connections.state(id).value
    if (state.kind === 'unknown-host') connections.answerHostKey(id, answer, state.offered.fingerprint)
  }
  const end = new AbortController()
  onTestFinished(() => end.abort())
  async function trustAll(): Promise<void> {
    for await (const _ of connections.list.watch(end.signal)) for (const id of ways.keys()) trust(id)
  }
  if (trusted) void trustAll()

  const phaseOn = (id: number): RunPhase | undefined =>
    runs.state.value?.places.find(({ instanceId }) => instanceId === id)?.phase
  async function until(holds: (run: Run) => boolean): Promise<Run> {
    for await (const run of runs.state.watch(AbortSignal.timeout(60_000)))
      if (run !== null && holds(run)) return run
    throw new Error(`never: ${JSON.stringify(runs.state.value)}`)
  }
  const over = (): Promise<Run> =>
    until(({ places }) => places.every(({ phase }) => !['connecting', 'running'].includes(phase.kind)))
  return { runs, connections, ways, homes, homeFolder, phaseOn, until, over, trust, told }
}

test('a command runs on each instance, and each has its own output and exit code', async () => {
  const { runs, over, homes } = await startWorld(3)
  const command = 'pwd; echo problem >&2; test "$(pwd)" != "$FAIL" || exit 3; cat'
  const { id } = runs.start({ instanceIds: [1, 2, 3], command: `FAIL=${homes.get(2)}; ${command}` })
  const { places } = await over()
  expect(places.map(({ phase }) => phase)).toMatchObject([
    { kind: 'exited', code: 0, signal: null },
    { kind: 'exited', code: 3, signal: null },
    { kind: 'exited', code: 0, signal: null },
  ])
  for (const [instanceId, home] of homes) {
    for await (const { pieces } of runs.watchOutput(id, instanceId)) {
      const of = (stream: string) => pieces.flatMap((each) => (each.stream === stream ? each.text : []))
      expect(of('out').join('')).toBe(`${home}\n`)
      expect(of('error').join('')).toBe('problem\n')
      break
    }
  }
})

test('the end on all instances is told once, where that was asked for; not to who stops it', async () => {
  const { runs, over, told, homes, until } = await startWorld(2)
  const order = { instanceIds: [1, 2], command: `case "$HOME" in ${homes.get(2)}) exit 3;; esac` }
  runs.notifyWhenDone(runs.start(order).id, true)
  expect(await over()).toMatchObject({ notifies: false })
  expect(told.map(({ title, body }) => `${title}: ${body}`)).toEqual([
    'Command ended on 2 instances: 1 succeeded, 1 failed (exit code 3).',
  ])
  runs.start(order)
  await over()
  const { id } = runs.start({ instanceIds: [1, 2], command: 'sleep 100' })
  runs.notifyWhenDone(id, true)
  await until(({ places }) => places.every(({ phase }) => phase.kind === 'running'))
  runs.stop(id, null)
  await over()
  expect(told).toHaveLength(1)
})

test('a command has the user’s language', async () => {
  const { runs, over } = await startWorld(1)
  const { id } = runs.start({ instanceIds: [1], command: 'echo "in $LANG"' })
  await over()
  expect(runs.text(id, 1)).toBe('in eo.UTF-8\n')
})

test('a flood is held back and bounded; its end is kept, and a stop ends it there', async () => {
  const { runs, over, until } = await startWorld(1, { clock: patientClock })
  const { id } = runs.start({
    instanceIds: [1],
    command: 'echo $$; trap "echo caught; exit" TERM; while :; do yes half ½ | head -c 5000000; done',
  })
  await until(({ places }) => places[0]?.phase.kind === 'running')
  // More than is kept has come.
  await waitFor(() => expect(runs.text(id, 1)).toMatch(/^\[\d+ characters before/))
  await new Promise((resolve) => setTimeout(resolve, 1_000))
  const text = runs.text(id, 1)
  expect(text.length).toBeLessThan(1_200_000)
  expect(text).toMatch(/^\[\d+ characters before this were not kept\]\n/)
  expect(text).not.toContain('\uFFFD')
  runs.stop(id, null)
  expect((await over()).places[0]?.phase).toEqual({ kind: 'stopped', left: 'ended' })
})

test('what is stopped does not go on there', async () => {
  const { runs, over, until, homes } = await startWorld(1, { clock: patientClock })
  const mark = join(homes.get(1) ?? '', 'mark')
  const { id } = runs.start({
    instanceIds: [1],
    command: `while :; do date +%s.%N > ${mark}; sleep 0.05; done`,
  })
  await until(({ places }) => places[0]?.phase.kind === 'running')
  await waitFor(() => stat(mark))
  runs.stop(id, 1)
  await over()
  await new Promise((resolve) => setTimeout(resolve, 300))
  const last = await readFile(mark, 'utf8')
  await new Promise((resolve) => setTimeout(resolve, 500))
  expect(await readFile(mark, 'utf8')).toBe(last)
})

test('instances fail each for itself: one cannot be reached, one loses its link, one goes on', async () => {
  const { runs, ways, homes, over, until, phaseOn } = await startWorld(2)
  const goOn = (instanceId: number): Promise<void> => writeFile(join(homes.get(instanceId) ?? '', 'go'), '')
  const command = 'echo begun; until [ -e go ]; do sleep 0.05; done; echo done'
  const { id } = runs.start({ instanceIds: [1, 2, 9], command })
  await until(({ places }) => places.slice(0, 2).every(({ phase }) => phase.kind === 'running'))
  await waitFor(() => expect(runs.text(id, 1)).toBe('begun\n'))
  ways.get(1)?.cut()
  await until(({ places }) => places[0]?.phase.kind === 'lost')
  await goOn(2)
  await over()
  expect(phaseOn(1)).toMatchObject({ kind: 'lost', problem: { kind: 'link-lost' } })
  expect(runs.text(id, 1)).toBe('begun\n')
  expect(phaseOn(2)).toMatchObject({ kind: 'exited', code: 0 })
  expect(phaseOn(9)).toMatchObject({
    kind: 'not-connected',
    failure: { kind: 'failed', problem: { kind: 'refused' } },
  })
  await goOn(1)
  runs.again(id, 1)
  await over()
  expect(phaseOn(1)).toMatchObject({ kind: 'exited', code: 0 })
  expect(runs.text(id, 1)).toBe('begun\ndone\n')
})

test('a signal that ends a command is told', async () => {
  const { runs, over } = await startWorld(1)
  runs.start({ instanceIds: [1], command: 'kill -SEGV $$' })
  expect((await over()).places[0]?.phase).toMatchObject({ kind: 'exited', code: null, signal: 'SIGSEGV' })
})

test('unknown hosts wait for their answers side by side; one that is refused fails alone', async () => {
  const { runs, connections, trust, over, phaseOn } = await startWorld(2, { trusted: false })
  runs.start({ instanceIds: [1, 2], command: 'true' })
  await waitFor(() => {
    for (const id of [1, 2]) expect(connections.state(id).value.kind).toBe('unknown-host')
  })
  trust(1)
  trust(2, false)
  await over()
  expect(phaseOn(1)).toMatchObject({ kind: 'exited', code: 0 })
  expect(phaseOn(2)).toMatchObject({
    kind: 'not-connected',
    failure: { kind: 'failed', problem: { kind: 'host-key-refused' } },
  })
})

test('a link that stalls does not hold a stop', async () => {
  const { runs, ways, until, over } = await startWorld(1)
  const { id } = runs.start({ instanceIds: [1], command: 'sleep 60' })
  await until(({ places }) => places[0]?.phase.kind === 'running')
  ways.get(1)?.fallSilent()
  runs.stop(id, null)
  expect((await over()).places[0]?.phase.kind).toBe('stopped')
})

test('outputs are saved for their owner alone; a second command waits for the first one', async () => {
  const { runs, over, homeFolder } = await startWorld(2)
  const { id } = runs.start({ instanceIds: [1, 2], command: 'echo here; sleep 0.5' })
  expect(() => runs.start({ instanceIds: [1], command: 'true' })).toThrow('invalid-input')
  await over()
  const folder = await runs.save(id)
  expect(folder.startsWith(homeFolder)).toBe(true)
  expect((await readdir(folder)).sort()).toEqual(['1.txt', '2.txt', 'command.txt'])
  expect(await readFile(join(folder, '2.txt'), 'utf8')).toBe('here\n')
  expect((await stat(join(folder, '2.txt'))).mode & 0o777).toBe(0o600)
})
