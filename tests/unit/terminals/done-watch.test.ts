import fc from 'fast-check'
import { beforeEach, expect, test } from 'vitest'
import type { TerminalDone } from '#domain/notifications/done-notifications.ts'
import { DoneWatch } from '#services/terminals/done-watch.ts'
import { FakeClock } from '../../support/fake-clock.ts'

const silent: TerminalDone = { kind: 'silent', seconds: 10 }
let clock: FakeClock
let told: TerminalDone[]
let watch: DoneWatch

function setUp(): void {
  clock = new FakeClock()
  told = []
  watch = new DoneWatch({ clock, tell: (end) => told.push(end), onSwitched: () => undefined })
}
beforeEach(setUp)

test('output, then 10 s of silence: told once, and off', async () => {
  watch.switch(true)
  watch.output()
  await clock.advance(9_000)
  watch.output()
  await clock.advance(9_900)
  expect(told).toEqual([])
  await clock.advance(200)
  expect(told).toEqual([silent])
  expect(watch.isOn).toBe(false)
  watch.output()
  await clock.advance(60_000)
  expect(told).toHaveLength(1)
})

test('the echo of keys is no output, and keys are no silence', async () => {
  watch.switch(true)
  watch.typed()
  await clock.advance(500)
  watch.output()
  await clock.advance(60_000)
  expect(told).toEqual([])
  watch.output()
  await clock.advance(9_000)
  watch.typed()
  await clock.advance(9_000)
  expect(told).toEqual([])
  await clock.advance(2_000)
  expect(told).toEqual([silent])
})

test('the greeting of a shell, and a session that draws itself anew, are no output', async () => {
  watch.switch(true)
  watch.shellBegan()
  await clock.advance(2_000)
  watch.output()
  await clock.advance(60_000)
  expect(told).toEqual([])
})

test('what was there before it was switched on does not count', async () => {
  watch.output()
  watch.switch(true)
  await clock.advance(60_000)
  expect(told).toEqual([])
})

test('switched off in the silence, it tells nothing', async () => {
  watch.switch(true)
  watch.output()
  await clock.advance(5_000)
  watch.switch(false)
  await clock.advance(60_000)
  expect(told).toEqual([])
})

test('the end of a command that the shell tells is believed once, and not right after a key', async () => {
  watch.switch(true)
  watch.typed()
  watch.commandEnded(0)
  expect(told).toEqual([])
  await clock.advance(1_000)
  for (let spam = 0; spam < 1_000; spam += 1) watch.commandEnded(3)
  expect(told).toEqual([{ kind: 'command-ended', code: 3 }])
})

test('a clock that was set back delays it by no more than the silence', async () => {
  watch.switch(true)
  watch.output()
  clock.setBack(3_600_000)
  await clock.advance(21_000)
  expect(told).toEqual([silent])
})

test('whatever comes in whatever order, one switching on tells at most once, and nothing is told while it is off', async () => {
  const step = fc.constantFrom('on', 'off', 'output', 'key', 'shell', 'command', 'end', 'wait')
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 60 }), async (steps) => {
      setUp()
      let most = 0
      for (const one of steps) {
        const [wasOn, before] = [watch.isOn, told.length]
        if (one === 'on' && !wasOn) most += 1
        if (one === 'on' || one === 'off') watch.switch(one === 'on')
        else if (one === 'output') watch.output()
        else if (one === 'key') watch.typed()
        else if (one === 'shell') watch.shellBegan()
        else if (one === 'command') watch.commandEnded(0)
        else if (one === 'end') watch.done({ kind: 'lost' })
        else await clock.advance(4_000)
        if (!wasOn) expect(told).toHaveLength(before)
        if (told.length > before) expect(watch.isOn).toBe(false)
      }
      expect(told.length).toBeLessThanOrEqual(most)
    }),
  )
})
