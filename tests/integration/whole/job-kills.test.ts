import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Job, JobOrder } from '#domain/jobs/job.ts'
import { createRandom } from '../../simulator/random.ts'
import { hardening, hardeningSeed } from '../../support/hardening.ts'
import { firstOf } from '../accounts/program.ts'
import {
  definition,
  isOver,
  jobWhen,
  listedIds,
  makeProject,
  treeOf,
  trustHosts,
  rental,
} from '../jobs/job-scene.ts'
import { search } from '../simulator/caller.ts'
import { type KillScene, startKillScene } from './kill-scene.ts'
import type { KillableMain } from './killable-main.ts'
import type { Client } from './main-program.ts'
import { rentRequestFor } from './requests.ts'

// Main is killed by the system, before and after each step of a job and wherever chance has it, or the link is cut; it
// begins again on what it left. Each command is started once, its log and its outputs are whole, and nothing is destroyed
// before they are here.

const byChance = hardening({ usual: 3, full: 100 })
const random = createRandom(hardeningSeed)
let scene: KillScene
let parent: string
let folder: string
let end: AbortController

beforeEach(async () => {
  scene = await startKillScene([0, 0])
  parent = await mkdtemp(join(tmpdir(), 'slipway-job-kills-'))
  folder = await makeProject(parent)
  end = new AbortController()
})
afterEach(async () => {
  end.abort()
  await scene.close()
  await rm(parent, { recursive: true, force: true })
})

/** A rental whose request didn't leave is told from one whose reply was lost by the lists of a while. */
const awayS = 120
/** Each has a job of its own, or several take one, which is killed at one after the other. */
const jobsFor = (together: readonly (readonly string[])[]): readonly (readonly string[])[] =>
  hardening({ usual: together, full: together.flat().map((point) => [point]) })

const said = 20
const log = [...Array.from({ length: said }, (_, index) => `line ${index} of the log`), 'done', ''].join('\n')
/** It takes a second, so that there is something to kill it in. */
const command = definition.command
  .replace('do echo', 'do sleep 0.05; echo')
  .replace(/\$\{LINES_SAID:-\d+\}/, String(said))

const beforeAndAfter = (...names: readonly string[]): readonly string[] =>
  names.flatMap((name) => [`write ${name}`, `wrote ${name}`])

/** The first run, with an account whose instances may be logged in to. */
async function firstRun(): Promise<readonly [KillableMain, Client]> {
  const { service, start } = scene
  const main = await start()
  const { key } = service.account('default')
  await main.page().accounts.connect({ serviceAddress: service.baseUrl, apiKey: key, keepIn: 'keychain' })
  const page = main.page()
  await page.settings.update({ sshUser: service.sshUser })
  await page.ssh.keys.create()
  return [main, trusting(page)]
}

async function nextRun(...dieAt: readonly string[]): Promise<readonly [KillableMain, Client]> {
  const main = await scene.start(...dieAt)
  return [main, trusting(main.page())]
}

/** Somebody answers what SSH asks. */
function trusting(page: Client): Client {
  void trustHosts(page, end.signal).catch(() => undefined) // killed, or over
  return page
}

async function rentOne(page: Client): Promise<number> {
  const { service } = scene
  const as = { baseUrl: service.baseUrl, key: service.account('default').key }
  const [offer] = await search(as, { rentable: { eq: true }, limit: 1 })
  const { options, ...request } = rentRequestFor(Number(offer?.id))
  const rented = await page.renting.rent({ ...request, options: { ...options, addSshKey: true } })
  if (rented.kind !== 'rented') throw new Error(rented.kind)
  return rented.instanceId
}

const projectsOn = (instanceId: number): string =>
  join(String(scene.service.instances.homeOf(instanceId)), 'slipway-jobs')

async function startsOn(instanceId: number): Promise<number> {
  const starts = await readFile(join(projectsOn(instanceId), 'starts'), 'utf8').catch(() => '')
  return starts.split('\n').length - 1
}

/** What the project there has of the outputs. */
async function outputsOn(instanceId: number): Promise<Record<string, string>> {
  const all = Object.entries(await treeOf(projectsOn(instanceId)))
  const inProject = all.map(([path, hash]) => [path.replace(/^[^/]+\//, ''), hash] as const)
  return Object.fromEntries(inProject.filter(([path]) => path.startsWith('out/') || path === 'changed.txt'))
}

const jobsOf = (page: Client) => firstOf(page.jobs.watch)

/** All connections end, and none is taken for a while. */
async function cutLink(instanceId: number): Promise<void> {
  const { instances } = scene.service
  for (const how of ['refused', null] as const) {
    for (const of of ['direct', 'proxy'] as const) await instances.blockSsh(instanceId, of, how)
    await sleep(1500)
  }
}

/**
 * The job, once it's over. While it waits for the list, time is moved on and the list is asked for; while it's at an
 * instance, time is what it is there.
 */
async function overSoon(main: KillableMain, page: Client, id: string): Promise<Job> {
  for (;;) {
    const job = await jobWhen(page, id, () => true)
    if (isOver(job)) return job
    if (job.step === 'instance' || job.step === 'end') {
      await scene.service.clock.advance(6)
      scene.setClock(main)
      await page.instances.refresh()
    }
    await sleep(100)
  }
}

/** Kills the run that begins a job at the first point, and each run that goes on with it at the next. */
async function killEachAt(
  begun: readonly [KillableMain, Client],
  order: JobOrder,
  points: readonly string[],
) {
  const [first, ...others] = points
  await scene.killAt(begun[0], () => beginOf(begun[1], order), [String(first)])
  for (const point of others) {
    await scene.service.clock.advance(awayS)
    const [main, page] = await nextRun(point)
    await scene.killAt(main, async () => overSoon(main, page, String((await jobsOf(page))[0]?.id)))
  }
}

/** Begins a job that never resolves: it's over when main is. */
async function beginOf(page: Client, order: JobOrder): Promise<void> {
  await page.jobs.begin(order)
  await new Promise(() => undefined)
}

test(
  `killed before and after each step on an instance, and ${byChance} times by chance, or its link is cut`,
  { timeout: hardening({ usual: 400_000, full: 7_200_000 }) },
  async () => {
    let [main, page] = await firstRun()
    const instanceId = await rentOne(page)
    const place = { kind: 'instance', instanceId } as const
    const order: JobOrder = { definition: { ...definition, command, then: 'keep' }, folder, place }
    const steps = ['upload', 'start', 'run', 'fetch', 'verify', 'end', 'ended'].map((step) => `job ${step}`)
    const points = beforeAndAfter('begun', ...steps)
    let starts = 0
    for (let kill = 0; kill < points.length + byChance; kill += 1) {
      const point = points[kill]
      const isCut = point === undefined && kill % 2 === 0
      const name = point ?? `no point, ${kill - points.length}${isCut ? ', its link is cut' : ''}`
      const afterMs = random.integer(0, 5000)
      if (isCut) {
        await page.jobs.begin(order)
        await sleep(afterMs)
        await cutLink(instanceId)
      } else {
        if (point === undefined) await scene.killDuring(main, () => beginOf(page, order), afterMs)
        else await scene.killAt(main, () => beginOf(page, order), [point])
        ;[main, page] = await nextRun()
      }
      const [begun] = await jobsOf(page)
      // Before it was written down, it wasn't begun.
      if (begun === undefined) continue
      const { id } = begun
      const job = await jobWhen(page, id, isOver)
      starts += 1
      expect(await startsOn(instanceId), name).toBe(starts)
      expect(job, name).toMatchObject({
        exit: { kind: 'code', code: 0 },
        outcome: { kind: 'finished', instance: 'kept' },
        outputs: { files: 3, bySha256: 3 },
      })
      expect((await page.jobs.readLog({ id, from: 0, bytes: 262_144 })).text, name).toBe(log)
      expect(await treeOf(String(job.outputs?.folder)), name).toEqual(await outputsOn(instanceId))
      await page.jobs.forget({ id })
      await rm(String(job.outputs?.folder), { recursive: true })
    }
    expect(await listedIds(page)).toEqual([instanceId])
    await main.kill()
  },
)

/** Where an instance is rented, and where it's destroyed. */
const spendingPoints = jobsFor([
  [
    ...beforeAndAfter('job renting'),
    'send PUT /api/v0/asks/',
    'answered PUT /api/v0/asks/',
    'write job end',
    'wrote job asking',
    'send DELETE /api/v0/instances/',
  ],
  [
    ...beforeAndAfter('job retrying'),
    'wrote job end',
    'write job asking',
    'answered DELETE /api/v0/instances/',
    'write job ended',
  ],
])

test(
  'killed where an instance is rented or destroyed: it is rented once, and destroyed only once its outputs are here',
  { timeout: hardening({ usual: 600_000, full: 1_200_000 }) },
  async () => {
    let [main, page] = await firstRun()
    const { service } = scene
    const order: JobOrder = { definition: { ...definition, command, then: 'destroy' }, folder, place: rental }
    for (const points of spendingPoints) {
      const name = points.join(', ')
      const from = service.journal().length
      const sent = (method: string, path: string) =>
        service
          .journal()
          .slice(from)
          .filter((one) => one.method === method && one.path.startsWith(path))
      await killEachAt([main, page], order, points)
      await service.clock.advance(awayS)
      ;[main, page] = await nextRun()
      const [begun] = await jobsOf(page)
      const job = await overSoon(main, page, String(begun?.id))
      expect(job, name).toMatchObject({
        exit: { kind: 'code', code: 0 },
        outcome: { kind: 'finished', instance: 'destroyed' },
        outputs: { files: 3, bySha256: 3 },
      })
      const rentals = sent('PUT', '/api/v0/asks/').filter(({ status }) => status === 200)
      expect(rentals, name).toHaveLength(1)
      expect(Object.keys(await treeOf(String(job.outputs?.folder))), name).toHaveLength(3)
      expect(await listedIds(page), name).toEqual([])
      expect(sent('DELETE', `/api/v0/instances/${job.instanceId}/`).length, name).toBeGreaterThan(0)
      await page.jobs.forget({ id: job.id })
      await rm(String(job.outputs?.folder), { recursive: true })
    }
    await main.kill()
  },
)
