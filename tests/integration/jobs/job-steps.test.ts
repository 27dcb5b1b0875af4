import { readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { firstOf } from '../accounts/program.ts'
import { guardedInstance, statusOf } from '../guards/guarded-instance.ts'
import {
  definition,
  isOver,
  jobWhen,
  listedIds,
  makeProject,
  treeOf,
  trustHosts,
  rental,
} from './job-scene.ts'

async function scene() {
  const instance = await guardedInstance()
  const end = new AbortController()
  onTestFinished(() => end.abort())
  void trustHosts(instance.client, end.signal).catch(() => undefined) // the test is over
  const folder = await makeProject(await temporaryFolder())
  return { ...instance, folder }
}

test('a job on an instance that runs goes from its folder to its outputs, and destroys the instance last', async () => {
  const { service, client, instanceId, folder } = await scene()
  const home = String(service.instances.homeOf(instanceId))
  const { id } = await client.jobs.begin({ definition, folder, place: { kind: 'instance', instanceId } })
  const begun = await jobWhen(client, id, ({ step }) => step !== 'instance')
  expect(begun).toMatchObject({ instanceId, outcome: null, isNotifying: true })
  // What is there is read before the service removes it.
  service.faults.add({ kind: 'delay', method: 'DELETE', ms: 3_000 })
  await jobWhen(client, id, ({ step }) => step === 'end')
  const there = await treeOf(join(home, 'slipway-jobs'))
  const job = await jobWhen(client, id, isOver)

  expect(job).toMatchObject({
    step: 'end',
    trouble: null,
    exit: { kind: 'code', code: 0 },
    outcome: { kind: 'finished', instance: 'destroyed' },
    outputs: { files: 3, bySha256: 3 },
  })
  expect(await listedIds(client)).toEqual([])
  const [project = ''] = Object.keys(there)
    .map((path) => dirname(path))
    .filter((path) => path.startsWith('project-'))
  const top = project.split('/')[0]
  expect(Object.keys(there)).not.toContain(`${top}/key.secret`)
  const here = await treeOf(String(job.outputs?.folder))
  expect(here).toEqual({
    'changed.txt': there[`${top}/changed.txt`],
    'out/deep/copy.txt': there[`${top}/out/deep/copy.txt`],
    'out/large.bin': there[`${top}/out/large.bin`],
  })
  const log = await client.jobs.readLog({ id, from: 0, bytes: 262_144 })
  expect(log.text.split('\n').slice(0, 2)).toEqual(['line 0 of the log', 'line 1 of the log'])
  expect(log).toMatchObject({ from: 0, to: log.size, size: job.logBytes, keptFrom: 0 })
  expect(await client.jobs.searchLog({ id, text: 'LINE 19 of', from: 0 })).toEqual({
    hits: [{ at: log.text.indexOf('line 19 of'), line: 'line 19 of the log' }],
    next: null,
  })
  expect(await readFile(join(folder, 'input.txt'), 'utf8')).toBe('what goes in\n')
})

test('a job rents the cheapest offer for it, and stops it at the end; the same order once more rents another', async () => {
  const { service, client, folder } = await scene()
  const rentals = () =>
    service.journal().filter(({ method, path }) => method === 'PUT' && path.startsWith('/api/v0/asks/'))
  const before = rentals().length
  const order = { definition: { ...definition, fetch: [], then: 'stop' as const }, folder, place: rental }
  const { id } = await client.jobs.begin(order)
  const job = await jobWhen(client, id, isOver)
  expect(job).toMatchObject({
    exit: { kind: 'code', code: 0 },
    outcome: { kind: 'finished', instance: 'stopped' },
    outputs: null,
    place: { kind: 'rent', searchName: 'All' },
  })
  expect(JSON.stringify(job)).not.toContain('addSshKey')
  expect(job.costUsd).toBeGreaterThan(0)
  expect(await statusOf(client, Number(job.instanceId))).toBe('stopped')
  const rented = rentals().slice(before)
  expect(rented).toHaveLength(1)

  const { id: next } = await client.jobs.repeat({ id })
  const again = await jobWhen(client, next, ({ step }) => step === 'run')
  expect(again.instanceId).not.toBe(job.instanceId)
  await client.jobs.cancel({ id: next, instance: 'destroy' })
  const canceled = await jobWhen(client, next, isOver)
  expect(canceled.outcome).toEqual({ kind: 'canceled', instance: 'destroyed' })
  expect(await listedIds(client)).not.toContain(again.instanceId)
  await expect(client.jobs.readDefinition({ folder })).resolves.toMatchObject({ kind: 'none' })
})

test('a canceled command is stopped with all it started, and what it made until then is brought back', async () => {
  const { client, instanceId, folder } = await scene()
  const command = 'mkdir -p out; echo half > out/part.txt; echo made; sleep 1000 & sleep 1000'
  const place = { kind: 'instance', instanceId } as const
  const { id } = await client.jobs.begin({ definition: { ...definition, command }, folder, place })
  await expect(
    client.jobs.begin({ definition, folder, place }),
    'one job in a folder of an instance',
  ).rejects.toMatchObject({ data: { kind: 'invalid-input', fault: { code: 'busy' } } })
  for await (const { text } of await client.jobs.watchLog({ id })) if (text.includes('made')) break
  await client.jobs.cancel({ id, instance: 'keep' })
  const job = await jobWhen(client, id, isOver)
  expect(job).toMatchObject({
    exit: { kind: 'canceled' },
    outcome: { kind: 'canceled', instance: 'kept' },
    outputs: { files: 1, bySha256: 1 },
  })
  expect(await readFile(join(String(job.outputs?.folder), 'out', 'part.txt'), 'utf8')).toBe('half\n')
  expect(await listedIds(client)).toEqual([instanceId])
})

test('a job on a stopped instance waits for the user, and is given up without touching it', async () => {
  const { service, client, instanceId, folder } = await scene()
  await service.instances.setFate(instanceId, 'stopped')
  await client.instances.refresh()
  const { id } = await client.jobs.begin({ definition, folder, place: { kind: 'instance', instanceId } })
  const job = await jobWhen(client, id, ({ trouble }) => trouble !== null)
  expect(job.trouble).toEqual({ isRetrying: false, reason: { kind: 'not-running', status: 'stopped' } })
  await client.jobs.giveUp({ id })
  expect((await jobWhen(client, id, isOver)).outcome).toEqual({ kind: 'given-up', step: 'instance' })
  const asked = service.journal().filter(({ path }) => path.includes(`/instances/${instanceId}/`))
  expect(asked.filter(({ method }) => method !== 'GET')).toEqual([])
  await client.jobs.forget({ id })
  expect((await firstOf(client.jobs.watch)).map((one) => one.id)).toEqual([])
})

test('while it runs, an instance that must not wait for Slipway has a rule of its own, which goes with the job', async () => {
  const { client, instanceId, folder } = await scene()
  const command = 'echo begun; while [ ! -e go ]; do sleep 0.2; done'
  const { id } = await client.jobs.begin({
    definition: { ...definition, command, fetch: [], then: 'keep', stopAfterMinutes: 30 },
    folder,
    place: { kind: 'instance', instanceId },
  })
  await jobWhen(client, id, ({ step }) => step === 'run')
  const { guards } = await firstOf(client.guards.watch)
  expect(guards).toMatchObject([
    { id, instanceId, action: 'stop', place: 'instance', condition: { kind: 'idle', minutes: 30 } },
  ])
  // Another job of the instance goes by the same rule, and has it for itself afterwards.
  const { id: next } = await client.jobs.begin({
    definition: { ...definition, command, fetch: [], then: 'keep', stopAfterMinutes: 60 },
    folder: await makeProject(await temporaryFolder()),
    place: { kind: 'instance', instanceId },
  })
  await jobWhen(client, next, ({ step }) => step === 'run')
  expect((await firstOf(client.guards.watch)).guards).toMatchObject([{ id }])
  await client.jobs.cancel({ id, instance: 'keep' })
  await jobWhen(client, id, isOver)
  expect((await firstOf(client.guards.watch)).guards).toMatchObject([
    { id: next, instanceId, action: 'stop', place: 'instance', condition: { kind: 'idle', minutes: 60 } },
  ])
  await client.jobs.cancel({ id: next, instance: 'keep' })
  await jobWhen(client, next, isOver)
  expect((await firstOf(client.guards.watch)).guards).toEqual([])
})
