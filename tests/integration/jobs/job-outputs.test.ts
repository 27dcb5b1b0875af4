import { mkdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import type { Job } from '#domain/jobs/job.ts'
import { remoteFolderOf } from '#services/jobs/job-folders.ts'
import { shownMissing } from '../../support/jobs/shown-missing.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { waitFor } from '../../support/wait-for.ts'
import { guardedInstance } from '../guards/guarded-instance.ts'
import { definition, isOver, jobWhen, listedIds, makeProject, treeOf, trustHosts } from './job-scene.ts'

async function scene() {
  const instance = await guardedInstance()
  const end = new AbortController()
  onTestFinished(() => end.abort())
  void trustHosts(instance.client, end.signal).catch(() => undefined) // the test is over
  return { ...instance, folder: await makeProject(await temporaryFolder()) }
}

/** A job with this command and these outputs, which destroys its instance in the end; and the project's folder there. */
async function begin(command: string, fetch: readonly string[]) {
  const { client, service, instanceId, folder } = await scene()
  const { id } = await client.jobs.begin({
    definition: { ...definition, command, fetch },
    ...{ folder, place: { kind: 'instance', instanceId } },
  })
  const there = join(String(service.instances.homeOf(instanceId)), remoteFolderOf(folder))
  return { client, instanceId, id, folder, there }
}

const waits = ({ trouble, outcome }: Job): boolean => trouble?.isRetrying === false || outcome !== null

test('what matches nothing, and links, are told and waited for; only then is the instance destroyed', async () => {
  const command =
    'mkdir out runs; echo x > out/x; ln -s /etc/hostname out/host; ln -s x out/same; echo 1 > runs/1'
  const { client, instanceId, id, there } = await begin(command, ['out/', 'runs/1', 'model.pt', 'same.txt'])
  const held = await jobWhen(client, id, waits)
  expect(held).toMatchObject({
    step: 'fetch',
    exit: { kind: 'code', code: 0 },
    trouble: {
      reason: {
        ...{ kind: 'left-out', count: 2 },
        entries: [
          { path: 'model.pt', reason: { kind: 'no-match' } },
          { path: 'out/host', reason: { kind: 'link' } },
        ],
      },
    },
  })
  expect(await listedIds(client)).toEqual([instanceId])
  await writeFile(join(there, 'model.pt'), 'weights')
  await client.jobs.retry({ id })
  const asking = await jobWhen(
    client,
    id,
    ({ trouble }) => trouble?.reason.kind === 'left-out' && trouble.reason.count === 1,
  )
  await client.jobs.acceptMissing({ id, missing: shownMissing(asking) })
  const job = await jobWhen(client, id, isOver)
  expect(job).toMatchObject({
    outcome: { kind: 'finished', instance: 'destroyed' },
    outputs: { files: 3, bySha256: 3 },
  })
  expect(Object.keys(await treeOf(String(job.outputs?.folder)))).toEqual(['model.pt', 'out/x', 'runs/1'])
})

test('an output that never is the same stays here as it came until a later copy of it is complete, and is no part of what was done without before', async () => {
  const command = [
    'mkdir out; date +%N > out/now',
    // Goes on behind the command's end, with the same size each time.
    '(until [ -e enough ]; do date +%N > later; mv later out/now; done; : > ended) > /dev/null 2>&1 &',
  ].join('\n')
  const { client, id, folder, there } = await begin(command, ['out/now', 'none'])
  const asking = await jobWhen(client, id, ({ trouble }) => trouble?.reason.kind === 'left-out')
  await client.jobs.acceptMissing({ id, missing: shownMissing(asking) })
  const held = await jobWhen(client, id, (job) => waits(job) && job.trouble?.reason.kind !== 'left-out')
  expect(held.trouble?.reason).toMatchObject({ kind: 'differ', paths: ['out/now'] })
  const outputs = join(folder, 'slipway-outputs')
  const [name = ''] = Object.keys(await treeOf(outputs))
  const path = join(outputs, name)
  expect((await stat(path)).size).toBe(10)
  await writeFile(join(there, 'enough'), '')
  await waitFor(() => stat(join(there, 'ended')))
  const last = await readFile(join(there, 'out', 'now'), 'utf8')
  await client.jobs.retry({ id })
  expect(await jobWhen(client, id, isOver)).toMatchObject({ outputs: { files: 1, bySha256: 1 } })
  expect(await readFile(path, 'utf8')).toBe(last)
})

test('links of the project’s folder aren’t sent, which is told; what can’t be sent holds the job, however many links there are', async () => {
  const { client, service, instanceId, folder } = await scene()
  for (let index = 0; index < 120; index += 1) await symlink('nothing', join(folder, `link-${index}`))
  await writeFile(join(folder, 'zoo'), 'a folder has this name there')
  const home = String(service.instances.homeOf(instanceId))
  const top = join(home, remoteFolderOf(folder))
  await mkdir(join(top, 'zoo'), { recursive: true })
  const { id } = await client.jobs.begin({
    definition: { ...definition, command: 'true', fetch: [], then: 'keep' },
    ...{ folder, place: { kind: 'instance', instanceId } },
  })
  expect((await jobWhen(client, id, waits)).trouble?.reason).toEqual({
    ...{ kind: 'left-out', count: 1 },
    entries: [{ path: 'zoo', reason: { kind: 'other-kind', taken: 'folder' } }],
  })
  await rm(join(top, 'zoo'), { recursive: true })
  await client.jobs.retry({ id })
  expect(await jobWhen(client, id, isOver)).toMatchObject({ unsentLinks: 120, outcome: { kind: 'finished' } })
  expect(Object.keys(await treeOf(top))).toContain('zoo')
})

test('a job whose log can’t be opened says so, and goes on as soon as it can be', async () => {
  const { service, main, client, instanceId, folder, userData, start } = await scene()
  await service.instances.setFate(instanceId, 'stopped')
  await client.instances.refresh()
  const { id } = await client.jobs.begin({ definition, folder, place: { kind: 'instance', instanceId } })
  const account = main.app.accountPages.value.front ?? ''
  await main.app.dispose()
  const path = join(userData, 'accounts', account, 'jobs', id)
  await mkdir(dirname(path), { recursive: true })
  await writeFile(path, 'no folder')
  const { client: next } = (await start()).window()
  const held = await jobWhen(next, id, ({ trouble }) => trouble !== null)
  expect(held.trouble).toMatchObject({
    isRetrying: true,
    reason: { kind: 'problem', problem: { kind: 'storage-failed' } },
  })
  await rm(path)
  await jobWhen(next, id, ({ trouble }) => trouble?.reason.kind === 'not-running')
})
