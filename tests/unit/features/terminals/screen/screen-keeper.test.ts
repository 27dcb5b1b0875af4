import { expect, it } from 'vitest'
import { createScreenKeeper } from '../../../../../src-renderer/features/terminals/screen/screen-keeper.ts'

/** A page whose time passes only when it is told to, and by reading a screen. */
function page(readingMs = 0) {
  let now = 0
  const timers: { at: number; run: () => void }[] = []
  const kept: string[] = []
  const keeper = createScreenKeeper({
    now: () => now,
    later: (ms, run) => void timers.push({ at: now + Math.max(0, ms), run }),
    keep(key) {
      kept.push(`${key} at ${now}`)
      now += readingMs
      return Promise.resolve()
    },
  })
  function passUntil(end: number): void {
    for (;;) {
      const next = timers.filter(({ at }) => at <= end).toSorted((one, other) => one.at - other.at)[0]
      if (!next) break
      timers.splice(timers.indexOf(next), 1)
      now = Math.max(now, next.at)
      next.run()
    }
    now = Math.max(now, end)
  }
  return { keeper, kept, passUntil }
}

it('keeps a screen two seconds after it was first written to, and again only when it was written to again', () => {
  const { keeper, kept, passUntil } = page()
  keeper.wrote('a')
  passUntil(1_500)
  keeper.wrote('a')
  keeper.wrote('b')
  passUntil(10_000)
  expect(kept).toEqual(['a at 2000', 'b at 3500'])
  keeper.wrote('a')
  passUntil(20_000)
  expect(kept).toEqual(['a at 2000', 'b at 3500', 'a at 12000'])
})

it('rests in proportion to what reading took', () => {
  const { keeper, kept, passUntil } = page(50)
  keeper.wrote('a')
  keeper.wrote('b')
  passUntil(10_000)
  expect(kept).toEqual(['a at 2000', 'b at 3050'])
})

it('keeps what has changed at once when the page goes, but nothing of a closed terminal', async () => {
  const { keeper, kept, passUntil } = page()
  keeper.wrote('a')
  keeper.wrote('b')
  keeper.forget('a')
  await keeper.flush()
  expect(kept).toEqual(['b at 0'])
  passUntil(10_000)
  expect(kept).toEqual(['b at 0'])
})
