import { afterEach, beforeEach, expect, test } from 'vitest'
import { z } from 'zod'
import { wholeLists } from '#contract/instances-changes.ts'
import { defaultOfferQuery } from '#domain/offers/offer.ts'
import { phaseOf } from '#domain/renting/retry.ts'
import type { FlowGoal } from '#domain/two-factor/flow.ts'
import { createRandom } from '../../simulator/random.ts'
import { hardening, hardeningSeed } from '../../support/hardening.ts'
import { call, rent as rentElsewhere, search } from '../simulator/caller.ts'
import { createPerson, moveToFreshStep, type Person, totp } from '../simulator/two-factor-person.ts'
import { now } from './fault-scene.ts'
import { firstOf } from '../accounts/program.ts'
import { type KillScene, startKillScene } from './kill-scene.ts'
import type { KillableMain } from './killable-main.ts'
import type { Client } from './main-program.ts'
import { rentRequestFor } from './requests.ts'

// Main is killed by the system, in the middle of what must not be lost or done twice, and begins again on what it left.

const kills = hardening({ usual: 7, full: 100 })
const random = createRandom(hardeningSeed)
let scene: KillScene
beforeEach(async () => {
  scene = await startKillScene()
})
afterEach(() => scene.close())

/** What a kill leaves behind, and the points (`KillableMain.dieAt`) at which it leaves just that. */
type Steered = readonly (readonly [left: string, points: readonly string[]])[]

const rental = 'PUT /api/v0/asks/'
const rentalPoints = [
  ['before', ['name']],
  ['not sent', [`send ${rental}`]],
  ['reply lost', [`answered ${rental}`]],
  ['after', ['keep instance-key/']],
] as const satisfies Steered

const destruction = 'DELETE /api/v0/instances/'
const replacementPoints = [
  ['not destroyed', [`send ${destruction}`]],
  ['destroyed', [`answered ${destruction}`]],
  // What comes next is asked for when the list has shown twice that it's gone.
  ['destroyed', [`answered ${destruction}`, 'send POST /api/v0/bundles/']],
  ['destroyed', [`send ${rental}`]],
  ['rented', [`answered ${rental}`]],
] as const satisfies Steered

const replacementKills = hardening({ usual: replacementPoints.length, full: 100 })

const confirmation = 'POST /api/v0/tfa/confirm-new/'
const status = 'GET /api/v0/tfa/status/'
const renewal = 'PUT /api/v0/tfa/regen-backup-codes/'
const factorPoints = [
  ['not sent', [`send ${confirmation}`]],
  ['sent', [`answered ${confirmation}`]],
  // What comes next is asked for when the codes are in the vault.
  ['kept', [`answered ${renewal}`, 'keep backup/', `send ${status}`]],
] as const satisfies Steered

/** The first kills come to each point, one after the other; all others come by chance, to all if they are many. */
function steered<const P extends Steered>(points: P) {
  const byChance = new Set<string>()
  return {
    of: (kill: number): P[number] | null => points[kill] ?? null,
    note: (kill: number, left: P[number][0]) => {
      const [wanted] = points[kill] ?? [null]
      if (wanted === null) byChance.add(left)
      else expect(left, `what is left of kill ${kill}`).toBe(wanted)
    },
    /** That these were left by chance, too. */
    expectByChance: (...all: readonly P[number][0][]) => {
      if (hardening({ usual: false, full: true }))
        expect(all.filter((left) => byChance.has(left))).toEqual(all)
    },
  }
}

/** So long at most does what is killed take, as far as was seen. */
let longestMs = 100
const someTime = (): number => random.integer(0, longestMs)

async function timed(work: () => Promise<unknown>): Promise<void> {
  const begun = performance.now()
  await work()
  longestMs = Math.min(1500, Math.max(longestMs, performance.now() - begun))
}

const idOnly = z.object({ instances: z.array(z.object({ id: z.number() })) })
const entry = z.looseObject({ kind: z.string(), id: z.string(), instanceId: z.number().optional() })

test(
  `${kills} rentals are killed: none is lost, none is made twice`,
  async () => {
    const { service, start } = scene
    const { key } = service.account('default')
    const as = { baseUrl: service.baseUrl, key }
    const ids = async () => idOnly.parse((await call(as, 'GET', '/api/v0/instances/')).body).instances
    const rentals = () =>
      service.journal().filter(({ method, path }) => method === 'PUT' && path.startsWith('/api/v0/asks/'))
    const met = steered(rentalPoints)
    let main = await start()
    await connect(main.page(), as)

    for (let kill = 0; kill < kills; kill += 1) {
      const [offer] = await search(as, { rentable: { eq: true }, limit: 1 })
      const before = rentals().length
      const page = main.page()
      await page.instances.refresh()
      const rent = () => page.renting.rent({ ...rentRequestFor(offer?.id ?? 0), keepInstanceKey: true })
      const points = met.of(kill)
      if (points) await scene.killAt(main, rent, points[1])
      else await scene.killDuring(main, () => timed(rent), someTime())
      const written = (await scene.journal('rentals.jsonl')).map((line) => entry.parse(line))
      // Later than a rental takes to be listed.
      await service.clock.advance(60)
      main = await start()
      const again = main.page()
      const list = await untilKnown(again)

      const sent = rentals().length - before
      expect(sent).toBeLessThanOrEqual(1)
      const there = (await ids()).map(({ id }) => id)
      expect(there.length).toBeLessThanOrEqual(sent)
      expect(list.instances?.map(({ id }) => id)).toEqual(there)
      const [rented] = there
      const isWritten = written.some(({ kind, instanceId }) => kind === 'rented' && instanceId === rented)
      // Told in the run before or in this one, and as what it is.
      const [notice, ...others] = list.notices
      expect(others).toEqual([])
      if (rented === undefined) expect(notice?.outcome.kind ?? 'nothing-created').toBe('nothing-created')
      else if (!isWritten) expect(notice?.outcome).toEqual({ kind: 'adopted', instanceId: rented })
      else expect(notice).toBeUndefined()
      const isIntended = written.some(({ kind }) => kind === 'intent')
      // Nothing left without a word of it.
      if (sent === 1) expect(isIntended).toBe(true)
      expect(await firstOf(again.settings.watchStorageNotices)).toEqual([])
      met.note(kill, !isIntended ? 'before' : isWritten ? 'after' : sent === 0 ? 'not sent' : 'reply lost')
      if (notice) await again.renting.dismissNotice({ id: notice.id })
      for (const id of there) await call(as, 'DELETE', `/api/v0/instances/${id}/`)
    }
    await main.kill()
    met.expectByChance('before', 'reply lost', 'after')
  },
  hardening({ usual: 300_000, full: 7_200_000 }),
)

test(
  `${replacementKills} replacements are killed: nothing is destroyed or rented twice, and the next start tells of them`,
  async () => {
    const { service, start } = scene
    const { key } = service.account('default')
    const as = { baseUrl: service.baseUrl, key }
    const begun = async (): Promise<number> =>
      (await scene.journal('chains.jsonl')).filter((line) => entry.parse(line).kind === 'begun').length
    const met = steered(replacementPoints)
    let main = await start()
    await connect(main.page(), as)

    for (let kill = 0; kill < replacementKills; kill += 1) {
      const { id: dead } = await rentElsewhere(as)
      await service.instances.setFate(dead, 'exited')
      const before = await begun()
      const from = service.journal().length
      const spent = () =>
        service
          .journal()
          .slice(from)
          .flatMap(({ method, path }) => {
            if (method === 'PUT' && path.startsWith('/api/v0/asks/')) return ['rented' as const]
            return method === 'DELETE' ? ['destroyed' as const] : []
          })
      const page = main.page()
      const replace = async (): Promise<void> => {
        await page.renting.retries.replace({ ...replacement, instanceId: dead })
        await untilBooting(main)
      }
      const points = met.of(kill)
      if (points) await scene.killAt(main, replace, points[1])
      else await scene.killDuring(main, replace, random.integer(0, 2000))
      const isBegun = (await begun()) > before
      met.note(kill, spent().at(-1) ?? 'not destroyed')
      main = await start()
      const again = main.page()
      await untilKnown(again)
      if (isBegun) {
        const { id, steps } = await untilBooting(main)
        expect(steps.map(({ step }) => step.kind)).toContain('resumed')
        expect(spent()).toEqual(['destroyed', 'rented'])
        await again.renting.retries.stop({ id, machine: 'keep' })
        await firstOf(again.renting.retries.watch, ([retry]) => retry?.steps.at(-1)?.step.kind === 'ended')
        await again.renting.retries.dismiss({ id })
      } else expect(spent()).toEqual([])
      const there = idOnly.parse((await call(as, 'GET', '/api/v0/instances/')).body).instances
      expect(there).toHaveLength(1)
      expect(there[0]?.id === dead).toBe(!isBegun)
      for (const { id } of there) await call(as, 'DELETE', `/api/v0/instances/${id}/`)
    }
    await main.kill()
  },
  hardening({ usual: 300_000, full: 7_200_000 }),
)

test(
  `${kills} changes of the second factor are killed: no secret and no backup code is lost, nothing is sent twice`,
  async () => {
    const { service, start, setClock } = scene
    const person = createPerson(service)
    const as = { baseUrl: service.baseUrl, key: person.key }
    const changes = () =>
      service
        .journal()
        .filter(({ method, path }) =>
          ['POST confirm-new/', 'PUT regen-backup-codes/', 'DELETE '].includes(
            `${method} ${path.replace('/api/v0/tfa/', '')}`,
          ),
        ).length
    const met = steered(factorPoints)
    let main = await start()
    await connect(main.page(), as)
    let next: FlowGoal = { kind: 'add', method: 'totp' }

    for (let kill = 0; kill < kills; kill += 1) {
      const page = main.page()
      await untilSettled(page)
      await moveToFreshStep(service)
      setClock(main)
      const before = changes()
      const points = met.of(kill)
      // Mostly from the last press on: all before it changes nothing.
      const isAnywhere = points === null && random.chance(0.2)
      const press = isAnywhere
        ? async () => (await lastPress(page, person, next))()
        : await lastPress(page, person, next)
      if (points) await scene.killAt(main, press, points[1])
      else await scene.killDuring(main, press, random.integer(0, isAnywhere ? 1000 : 250))
      expect(changes() - before).toBeLessThanOrEqual(1)
      await moveToFreshStep(service)
      main = await start()
      const again = main.page()
      const account = await untilSettled(again)
      const { tfa_enabled: isOn } = await person.status()
      const left = account.unfinished.map(({ kind }) => kind)
      met.note(kill, changes() === before ? 'not sent' : left.includes('codes-unsaved') ? 'kept' : 'sent')
      expect(account.status).toBe(isOn ? 'enabled' : 'off')
      expect(await firstOf(again.settings.watchStorageNotices)).toEqual([])
      next = { kind: 'add', method: 'totp' }
      if (!isOn) continue

      const [method] = account.methods
      expect(method?.entryId).not.toBeNull()
      await logIn(again, `method:${method?.id}`)
      const isSaid = account.unfinished.some(
        ({ kind }) => kind === 'codes-lost' || kind === 'codes-uncertain',
      )
      if (!isSaid) {
        await moveToFreshStep(service)
        setClock(main)
        await logIn(again, 'backup-code')
      }
      next =
        isSaid || random.chance(0.5)
          ? { kind: 'regenerate' }
          : { kind: 'remove', methodId: method?.id ?? 0, thenAdd: null }
    }
    await main.kill()
    met.expectByChance('not sent', 'sent', 'kept')
  },
  hardening({ usual: 300_000, full: 7_200_000 }),
)

async function connect(page: Client, { baseUrl, key }: { baseUrl: string; key: string }): Promise<void> {
  await page.accounts.connect({ serviceAddress: baseUrl, apiKey: key, keepIn: 'keychain' })
}

const replacement = {
  options: rentRequestFor(0).options,
  query: defaultOfferQuery,
  plan: { machines: 1, capPerHourUsd: null, bootMinutes: 240, giveUpAfterMinutes: 7 * 24 * 60 },
}

/** What takes an instance's place, once it is rented. Time is moved on: two lists must be some seconds apart. */
async function untilBooting(main: KillableMain) {
  const page = main.page()
  for (;;) {
    const [retry] = await firstOf(page.renting.retries.watch)
    if (retry !== undefined && phaseOf(retry.steps).kind === 'booting') return retry
    await scene.service.clock.advance(6)
    scene.setClock(main)
    await page.instances.refresh()
  }
}

/** The list, once the service has answered and nothing in it is being looked for. */
async function untilKnown(page: Client) {
  const states = await wholeLists(page.instances.watch)()
  for await (const list of states) {
    const isChecking = list.notices.some(({ outcome }) => outcome.kind === 'checking')
    if (list.instances !== null && !list.isRemembered && !isChecking) return list
  }
  throw new Error('The list is not told any more')
}

/** The account, once the service has answered and nothing of it is being asked for. */
async function untilSettled(page: Client) {
  for await (const { account } of await page.twoFactor.watch()) {
    if (account.kind !== 'known' || account.isChecking) continue
    if (account.problem === null && account.unfinished.every(({ kind }) => kind !== 'confirm-lost'))
      return account
  }
  throw new Error('The account is not told any more')
}

/** Goes through a procedure up to what changes something, which the answer does. */
async function lastPress(page: Client, person: Person, goal: FlowGoal): Promise<() => Promise<unknown>> {
  const { flowId } = await page.twoFactor.begin({ goal, keepIn: 'keychain' })
  if (goal.kind !== 'add') {
    await page.twoFactor.proceed({ flowId, words: goal.kind === 'remove' ? 'turn off' : '' })
    return () => page.twoFactor.submitStored({ flowId })
  }
  // The permission to add one outlasts a run.
  if ((await now(page.twoFactor.watch())).flow?.step.kind === 'verify') {
    await page.twoFactor.send({ flowId })
    await page.twoFactor.submit({ flowId, code: person.lastCode('email') })
  }
  const { secret } = await page.twoFactor.enrolment({ flowId })
  const code = totp(scene.service, secret)
  return () => page.twoFactor.confirm({ flowId, code, label: 'Desk', anyway: false })
}

/** By what the vault has kept. */
async function logIn(page: Client, choiceId: string): Promise<void> {
  const { flowId } = await page.twoFactor.begin({
    goal: { kind: 'log-in', admin: false },
    keepIn: 'keychain',
  })
  await page.twoFactor.choose({ flowId, choiceId })
  await page.twoFactor.submitStored({ flowId })
  const { flow } = await now(page.twoFactor.watch())
  expect(flow?.step).toMatchObject({ kind: 'done', outcome: { kind: 'logged-in' } })
}
