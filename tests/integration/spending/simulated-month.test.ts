import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { z } from 'zod'
import { fromParts } from '#contract/parts.ts'
import { wholeLists } from '#contract/instances-changes.ts'
import { monthOf } from '#domain/spending/ledger-line.ts'
import type { MonthSummary } from '#domain/spending/month-summary.ts'
import { startSimulator } from '../../simulator/simulator.ts'
import { skippingTimeOf } from '../../support/skipping-clock.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { fakeBackend } from '../../unit/vault/keychain/fake-backend.ts'
import { firstOf } from '../accounts/program.ts'
import { startMain, type Client } from '../whole/main-program.ts'
import { rentRequestFor } from '../whole/requests.ts'

const hourMs = 3_600_000

/** All of main on the simulator's time, opened and closed again as its user does, and the service's own bill. */
async function startMonth() {
  const service = await startSimulator({ offers: 50, bootSeconds: [0, 0] })
  onTestFinished(() => service.close())
  const userData = join(await temporaryFolder(), 'data')
  const keychain = fakeBackend()
  const { clock, fetch } = skippingTimeOf(service.clock)
  // Time stands still meanwhile: skipped while Slipway starts or ends, it would be lost or won by how busy the machine is.
  const run = () => startMain({ userData, keychain, clock, random: () => 0, fetch })

  const first = await run()
  const { client } = await first.connect({ baseUrl: service.baseUrl, key: service.key })
  await client.settings.update({ restingPauseSeconds: 300 })
  await first.app.dispose()

  /** Opens Slipway, does something, and closes it after so many hours. */
  async function open(hours: number, work?: (client: Client) => Promise<void>): Promise<void> {
    const main = await run()
    const page = main.window()
    await firstOf(wholeLists(page.client.instances.watch), ({ fetchedAt }) => fetchedAt !== null)
    await work?.(page.client)
    await clock.pass(hours * hourMs)
    // The last list is of now: what isn't seen begins when Slipway closes.
    await page.client.instances.refresh()
    page.close()
    await main.app.dispose()
  }
  const closed = (hours: number) => service.clock.advance(hours * 3600)

  const ask = async (method: string, path: string, body?: object): Promise<unknown> => {
    const response = await fetch(`${service.baseUrl}/api/v0/${path}`, {
      method,
      headers: { authorization: `Bearer ${service.key}`, 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    })
    expect(response.status, path).toBe(200)
    return response.json()
  }
  const credit = async () =>
    z.looseObject({ credit: z.number() }).parse(await ask('GET', 'users/current/')).credit
  /** What each instance costs now, in $/h. */
  const rates = async () => {
    const list = await ask('GET', 'instances/')
    const { instances } = z
      .object({ instances: z.array(z.looseObject({ id: z.number(), dph_total: z.number() })) })
      .parse(list)
    return new Map(instances.map(({ id, dph_total: rate }) => [id, rate]))
  }

  /** What the service has charged until now, and what the ledger has of it. */
  async function compare() {
    let billedUsd = 0
    const totals: MonthSummary[] = []
    await open(0, async (page) => {
      await page.instances.refresh()
      billedUsd = before - (await credit())
      const months = await page.spending.months()
      for (const month of months) totals.push(await firstOf(() => page.spending.watchMonth({ month })))
    })
    const sum = (of: (month: MonthSummary) => number) => totals.reduce((all, one) => all + of(one), 0)
    return {
      billedUsd,
      countedUsd: sum(({ total }) => total.usd),
      gapUsd: sum(({ total }) => total.gapUsd),
      gapHours: sum(({ total }) => total.gapSeconds) / 3600,
      fellUsd: sum((month) => month.credit?.fellUsd ?? 0),
      months: totals.map(({ month }) => month),
    }
  }
  const before = await credit()
  return { service, clock, open, closed, ask, rates, compare }
}

async function rent(client: Client, offerId: number): Promise<number> {
  const rented = await client.renting.rent(rentRequestFor(offerId))
  if (rented.kind !== 'rented') throw new Error(rented.kind)
  await client.instances.refresh()
  return rented.instanceId
}

test('a month with gaps: the ledger has the service’s own bill to the cent, but for what changed while Slipway was closed', async () => {
  const { clock, open, closed, ask, rates, compare } = await startMonth()
  const begin = clock.now()
  let [one, other] = [0, 0]
  await open(3, async (client) => {
    const { records: offers } = await fromParts(
      await client.offers.search({ filters: {}, order: [], type: 'on-demand', limit: 50 }),
    )
    const ids = offers.map(({ id }) => id)
    one = await rent(client, ids[0] ?? 0)
    other = await rent(client, ids[1] ?? 0)
  })

  // Ten days: an hour open, which is twelve lists, then closed; one is stopped in Slipway.
  for (let day = 0; day < 10; day += 1) {
    await closed(23)
    await open(1, async (client) => {
      if (day === 4) await client.instances.stop({ id: other })
    })
  }
  const calm = await compare()
  // Between the last list and the end of a run minutes go by.
  expect(calm.gapHours).toBeGreaterThanOrEqual(10 * 23)
  expect(calm.gapHours).toBeLessThan(10 * 24)
  expect(calm.billedUsd).toBeGreaterThan(10)
  expect(Math.abs(calm.billedUsd - calm.countedUsd - calm.gapUsd)).toBeLessThan(0.01)

  // Ten more days: in the first night somebody stops the other one elsewhere, two hours after Slipway was closed.
  const running = (await rates()).get(one) ?? 0
  await closed(2)
  await ask('PUT', `instances/${one}/`, { state: 'stopped' })
  const stopped = (await rates()).get(one) ?? 0
  expect(running).toBeGreaterThan(stopped)
  for (let day = 0; day < 10; day += 1) {
    await closed(23)
    await open(1)
  }
  const changed = await compare()
  const missed = changed.billedUsd - changed.countedUsd - changed.gapUsd
  expect(Math.abs(missed - 2 * (running - stopped))).toBeLessThan(0.01)

  // The rest of the month: one is destroyed after 30 hours of a weekend. When, nobody saw.
  await closed(30)
  await ask('DELETE', `instances/${one}/`)
  await closed(30)
  for (let day = 0; day < 8; day += 1) {
    await open(1)
    await closed(21)
  }
  const end = await compare()
  expect(Math.abs(end.billedUsd - end.countedUsd - end.gapUsd - missed - 30 * stopped)).toBeLessThan(0.01)
  // What the credit fell by is the bill: Slipway has asked for it at the start, and minutes before the end.
  expect(Math.abs(end.fellUsd - end.billedUsd)).toBeLessThan(0.05)
  expect(clock.now() - begin).toBeGreaterThan(30 * 24 * hourMs)
  expect(end.months).toContain(monthOf(begin))
}, 300_000)
