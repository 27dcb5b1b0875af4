import { expect, test } from 'vitest'
import { autoRentWorld } from './auto-rent-world.ts'

const minuteMs = 60_000

test('what was rented a moment ago is part of it, until a list shows it', async () => {
  const { clock, state, run } = autoRentWorld()
  state.listedAfterMs = 5 * minuteMs
  const asked: (readonly [usd: number, unlistedUsd: number])[] = []
  state.obstacle = (usd, unlistedUsd) => {
    asked.push([usd, unlistedUsd])
    return null
  }
  const app = await run()
  await app.begin({ instances: 2 })
  await clock.advance(minuteMs)
  const choosing = asked.filter(([usd]) => usd > 0)
  expect(choosing.at(0)?.[1]).toBe(0)
  const second = choosing.find(([, unlistedUsd]) => unlistedUsd > 0)
  expect(second?.[1]).toBeCloseTo(choosing[0]?.[0] ?? 0)
  await clock.advance(5 * minuteMs)
  asked.length = 0
  await app.begin({ instances: 1 })
  await clock.advance(minuteMs)
  expect(asked[0]).toEqual([0, 0])
})

test('an instance that somebody rents long after a lost reply isn’t taken for it', async () => {
  const { service, clock, problem, run } = autoRentWorld()
  let sent = 0
  const app = await run((what, when) =>
    what === 'create' && when === 'before' && ++sent === 1 ? problem('reset') : 'go',
  )
  for (const offer of service.offers.splice(1)) offer['dph_total'] = 7
  await app.begin({ instances: 2 })
  await clock.advance(10 * minuteMs)
  expect(app.view()?.outcome).toBeNull()
  service.create(4)
  await clock.advance(5 * minuteMs)
  expect(app.view()?.outcome).toBeNull()
})
