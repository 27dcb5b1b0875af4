import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { defaultOfferQuery } from '#domain/offers/offer.ts'
import { autoRentalsOf, autoRentEntry, damaged } from '#services/renting/auto-rent-journal.ts'
import { openJournal } from '#services/storage/journal.ts'
import { settle } from '../../support/fake-clock.ts'
import { autoRentWorld } from './auto-rent-world.ts'

// What an automatic rental must never do with its user's money.

const minuteMs = 60_000
const narrower = { ...defaultOfferQuery, filters: { gpu_name: { eq: 'H100' } } }

test('nothing is rented by a look at what the search was before', async () => {
  const { service, clock, state, run } = autoRentWorld()
  const app = await run()
  await clock.advance(20_000)
  state.query = narrower
  await app.begin()
  await clock.advance(3 * minuteMs)
  expect(service.journal).toEqual([])
  state.lookedFor = narrower
  await clock.advance(minuteMs)
  expect(service.journal).toHaveLength(3)
})

test.for([
  ['the disk has no price', { dph_base: 0.4, dph_total: 9 }],
  ['the disk has no price, and nothing else says the total', { dph_base: 0.4 }],
  ['the disk’s price is no number', { dph_base: 0.4, dph_total: 9, storage_cost: 'x' }],
  ['the disk’s price is below 0', { dph_base: 0.4, dph_total: 9, storage_cost: -5 }],
  ['computing costs nothing, and yet something', { dph_base: 0, dph_total: 5, storage_cost: 0.1 }],
  ['the disk costs nothing, and yet all', { dph_total: 1, storage_total_cost: 1, storage_cost: 0 }],
  ['the disk is more than the rest', { dph_base: 0.4, storage_cost: 80 }],
] as const)('an offer isn’t within the price where %s', async ([, prices]) => {
  const { service, clock, run } = autoRentWorld()
  service.offers.splice(0, 5, { id: 1, machine_id: 10, ...prices })
  const app = await run()
  await app.begin()
  await clock.advance(5 * minuteMs)
  expect(service.journal).toEqual([])
  service.offers.push({ id: 2, machine_id: 20, dph_base: 0.4, dph_total: 0.45, storage_cost: 0.1 })
  await clock.advance(2 * minuteMs)
  expect(service.journal).toEqual(['rent 2'])
})

test('what came to an end while the keychain asked for its password isn’t rented', async () => {
  type State = ReturnType<typeof autoRentWorld>['state']
  for (const happens of [
    (state: State) => void (state.query = null),
    (state: State) => void (state.isRetrying = true),
    (state: State) => void (state.obstacle = () => 'low-credit'),
  ]) {
    const { service, clock, state, run } = autoRentWorld()
    state.beforeUnseal = async () => happens(state)
    const app = await run()
    await app.begin()
    await clock.advance(10 * minuteMs)
    expect(service.journal, String(happens)).toEqual([])
  }
})

test('a look that has become old while the keychain asked is too old to rent by', async () => {
  const { service, clock, state, run } = autoRentWorld()
  state.beforeUnseal = () => {
    state.beforeUnseal = () => Promise.resolve()
    return clock.sleep(20 * minuteMs)
  }
  const app = await run()
  await app.begin({ instances: 1 })
  await clock.advance(minuteMs)
  for (const offer of service.offers) offer['dph_total'] = 7
  await clock.advance(30 * minuteMs)
  expect(service.journal).toEqual([])
  service.offers.push({ id: 9, machine_id: 90, dph_total: 0.2, storage_cost: 0 })
  await clock.advance(2 * minuteMs)
  expect(service.journal).toEqual(['rent 9'])
})

test('a clock that was set back makes no look fresh', async () => {
  const { service, clock, state, run } = autoRentWorld()
  state.isRetrying = true
  const app = await run()
  await app.begin()
  state.lookedFor = null
  await clock.advance(5 * minuteMs + 20_000)
  clock.setBack(5 * minuteMs + 19_000)
  state.isRetrying = false
  // A list comes meanwhile.
  await clock.advance(20_000)
  expect(app.view()?.waitsFor).toBeNull()
  expect(service.journal).toEqual([])
})

test.for([85_000, 95_000, 110_000, 115_000, 130_000, 300_000])(
  'an instance that is listed %i ms after its reply was lost is one of those agreed to',
  async (listedAfterMs) => {
    const { service, clock, state, problem, run } = autoRentWorld()
    state.listedAfterMs = listedAfterMs
    let sent = 0
    const app = await run((what, when) =>
      what === 'create' && when === 'after' && ++sent === 1 ? problem('reset') : 'go',
    )
    await app.begin({ instances: 2 })
    await clock.advance(30 * minuteMs)
    expect(service.machines.length).toBeLessThanOrEqual(2)
    expect(app.view()?.outcome).not.toBeNull()
  },
)

test('a rental whose reply was lost counts, also when its instance was destroyed meanwhile', async () => {
  const { service, clock, run } = autoRentWorld()
  const app = await run((what) => (what === 'rental rented' ? 'crash' : 'go'))
  await app.begin({ instances: 1 })
  await clock.advance(minuteMs)
  app.quit()
  service.destroy(100)
  const again = await run()
  await clock.advance(10 * minuteMs)
  expect(service.journal).toEqual(['rent 1', 'destroy 100'])
  expect(again.view()).toMatchObject({ outcome: { kind: 'complete' }, instanceIds: [] })
})

test.for([
  ['is cut', '{"kind":"stop#ing","id":"x","at":2}', 'record-damaged'],
  ['is no JSON', '{"kind":"stopp', 'record-damaged'],
  ['names an end of a later version', '{"kind":"ended","id":"x","at":2,"outcome":{"kind":"new"}}', 'stopped'],
])('a line of the journal that %s arms nothing', async ([, line, kind]) => {
  const path = join(await mkdtemp(join(tmpdir(), 'auto-rent-')), 'auto-rent.jsonl')
  const begun = {
    ...{ kind: 'begun', at: 1, searchId: 's', name: 'Cheap', query: defaultOfferQuery },
    ...{ plan: { instances: 3, capPerHourUsd: 1 }, diskGb: 10, sealedBody: '' },
  }
  const lines = ['{"version":2}', JSON.stringify({ ...begun, id: 'x' }), line]
  await writeFile(path, [...lines, JSON.stringify({ ...begun, id: 'y' }), ''].join('\n'))
  const journal = openJournal({ path, schema: autoRentEntry, damaged, onNotice: () => undefined })
  const all = autoRentalsOf(await journal.readAll())
  expect(all.get('x')?.outcome).toEqual({ kind })
  // What was agreed to since then isn't concerned.
  expect(all.get('y')?.outcome).toBeNull()
})

test('what ended and couldn’t be written is written later, and isn’t taken up by the next run', async () => {
  const { service, clock, state, run } = autoRentWorld()
  const offers = service.offers.splice(0)
  let isFull = true
  const app = await run((what, when) =>
    isFull && what === 'auto ended' && when === 'before'
      ? { kind: 'storage-failed', file: '', detail: '' }
      : 'go',
  )
  await app.begin()
  await clock.advance(2 * minuteMs)
  state.obstacle = () => 'low-credit'
  await clock.advance(2 * minuteMs)
  expect(app.view()?.outcome).toEqual({ kind: 'low-credit' })
  isFull = false
  await clock.advance(2 * minuteMs)
  app.quit()
  await settle()
  state.obstacle = () => null
  service.offers.push(...offers)
  const again = await run()
  await clock.advance(5 * minuteMs)
  expect(service.journal).toEqual([])
  expect(again.view()?.outcome).toEqual({ kind: 'low-credit' })
})

test('what is stopped while its request waits for its turn is never sent', async () => {
  const { service, clock, state, run } = autoRentWorld()
  let go = (): void => undefined
  state.beforeRent = () => new Promise((resolve) => (go = resolve))
  const app = await run()
  await app.begin()
  await clock.advance(1000)
  await app.autoRent.stop(app.view()?.id ?? '')
  expect(app.view()).toMatchObject({ isStopping: true, isRenting: true, outcome: null })
  await clock.advance(60 * minuteMs)
  go()
  await clock.advance(1000)
  expect(service.journal).toEqual([])
  expect(app.view()).toMatchObject({ isStopping: false, outcome: { kind: 'stopped' } })
})

test('a request that waited for its turn beyond what it was chosen by is called off, and made by the next look', async () => {
  const { service, clock, state, run } = autoRentWorld()
  let waits = 0
  state.beforeRent = () => (++waits === 1 ? clock.sleep(5 * minuteMs) : Promise.resolve())
  const app = await run()
  await app.begin({ instances: 1 })
  await clock.advance(4 * minuteMs)
  expect(service.journal).toEqual([])
  await clock.advance(3 * minuteMs)
  expect(service.journal).toEqual(['rent 1'])
  expect(app.view()).toMatchObject({ outcome: { kind: 'complete' }, problem: null })
})

test('another type of pricing than what is rented is refused', async () => {
  const { state, run } = autoRentWorld()
  state.query = { ...defaultOfferQuery, type: 'bid' }
  const app = await run()
  await expect(app.begin()).rejects.toMatchObject({
    problem: { reason: { code: 'auto-rent-other-pricing' } },
  })
})

test('the price of what is about to be rented is part of what the credit must last for', async () => {
  const { service, clock, state, run } = autoRentWorld()
  state.obstacle = (usd) => (usd > 0.2 ? 'low-credit' : null)
  const app = await run()
  await app.begin()
  await clock.advance(2 * minuteMs)
  expect(service.journal).toEqual([])
  expect(app.view()?.outcome).toEqual({ kind: 'low-credit' })
})

test.for(['credit-unknown', 'limit-near'] as const)(
  'while money says “%s”, it waits and says so',
  async (obstacle) => {
    const { service, clock, state, run } = autoRentWorld()
    state.obstacle = () => obstacle
    const app = await run()
    await app.begin()
    await clock.advance(5 * minuteMs)
    expect(service.journal).toEqual([])
    expect(app.view()).toMatchObject({ waitsFor: obstacle, outcome: null })
    state.obstacle = () => null
    await clock.advance(2 * minuteMs)
    expect(service.journal).toHaveLength(3)
    expect(app.view()?.waitsFor).toBeNull()
  },
)

test('refusals come one a look, and an offer that was gone and is back is tried again', async () => {
  const { service, clock, problem, run } = autoRentWorld()
  const at: number[] = []
  const [first] = service.offers.splice(0)
  if (first) service.offers.push(first)
  const app = await run((what, when) => {
    if (what !== 'create' || when !== 'before') return 'go'
    at.push(clock.now())
    return at.length === 1 ? problem('gone') : 'go'
  })
  await app.begin({ instances: 1 })
  await clock.advance(5 * minuteMs)
  // It's still listed, as if it weren't gone.
  expect(at).toHaveLength(1)
  service.offers.splice(0)
  await clock.advance(2 * minuteMs)
  if (first) service.offers.push(first)
  await clock.advance(2 * minuteMs)
  expect(service.journal).toEqual(['rent 1'])

  const many = autoRentWorld()
  const times: number[] = []
  const other = await many.run((what, when) => {
    if (what !== 'create' || when !== 'before') return 'go'
    times.push(many.clock.now())
    return many.problem('gone')
  })
  await other.begin({ instances: 20 })
  await many.clock.advance(4 * minuteMs)
  expect(times.length).toBeGreaterThan(3)
  for (const [index, time] of times.entries())
    if (index > 0) expect(time - (times[index - 1] ?? 0)).toBeGreaterThanOrEqual(minuteMs)
})

test('the former result is dismissed only once the next one is on the disk', async () => {
  const { clock, run } = autoRentWorld()
  let isFull = false
  const app = await run((what, when) =>
    isFull && what === 'auto begun' && when === 'before'
      ? { kind: 'storage-failed', file: '', detail: '' }
      : 'go',
  )
  await app.begin({ instances: 1 })
  await clock.advance(minuteMs)
  isFull = true
  await expect(app.begin()).rejects.toThrow()
  expect(app.view()?.outcome).toEqual({ kind: 'complete' })
  isFull = false
  await app.begin()
  expect(app.autoRent.state.value).toHaveLength(1)
})

test('notifications name the search', async () => {
  const { clock, texts, run } = autoRentWorld()
  const app = await run()
  await app.begin({ instances: 1 })
  await clock.advance(minuteMs)
  expect(texts).toEqual([expect.stringMatching(/Search: Cheap$/)])
})
