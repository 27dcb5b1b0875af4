import { describe, expect, test } from 'vitest'
import { SecretClipboard } from '#services/vault/secret-clipboard.ts'
import { FakeClock } from '../../support/fake-clock.ts'
import { memoryLog } from '../../support/memory-log.ts'

function setUp() {
  const clock = new FakeClock()
  const log = memoryLog()
  const system = { text: 'the user’s own', isBroken: false, hangs: false, takesClears: true, reads: 0 }
  const clipboard = new SecretClipboard({
    clipboard: {
      writeSecret: async (text) => void (system.text = text),
      read: async () => {
        system.reads += 1
        if (system.isBroken) throw new Error('no display')
        if (system.hangs) await new Promise(() => undefined)
        return system.text
      },
      clear: () => {
        if (system.takesClears) system.text = ''
      },
    },
    clock,
    log,
  })
  return { clock, log, system, clipboard }
}

test('what was copied is gone after 30 s', async () => {
  const { clipboard, clock, system } = setUp()
  const { clearsAtMs } = await clipboard.copy('123456')
  expect(clearsAtMs).toBe(clock.now() + 30_000)
  expect(clipboard.clearsAtMs.value).toBe(clearsAtMs)
  await clock.advance(29_999)
  expect(system.text).toBe('123456')
  await clock.advance(1)
  expect(system.text).toBe('')
  expect(clipboard.clearsAtMs.value).toBeNull()
})

test('what the user has copied since is left alone, after 30 s and at the end', async () => {
  const { clipboard, clock, system } = setUp()
  await clipboard.copy('123456')
  system.text = 'mine'
  await clock.advance(30_000)
  expect(system.text).toBe('mine')
  await clipboard.copy('123456')
  system.text = 'mine'
  await clipboard.clear()
  expect(system.text).toBe('mine')
})

test('copying again begins the 30 s anew', async () => {
  const { clipboard, clock, system } = setUp()
  await clipboard.copy('123456')
  await clock.advance(20_000)
  await clipboard.copy('654321')
  await clock.advance(20_000)
  expect(system.text).toBe('654321')
  await clock.advance(10_000)
  expect(system.text).toBe('')
})

test('the end of the program clears it; without anything copied it looks at nothing', async () => {
  const { clipboard, system } = setUp()
  await clipboard.clear()
  expect(system.text).toBe('the user’s own')
  await clipboard.copy('123456')
  await clipboard.clear()
  expect(system.text).toBe('')
})

test('a clipboard that cannot be read is logged without what was in it', async () => {
  const { clipboard, system, log } = setUp()
  await clipboard.copy('123456')
  system.isBroken = true
  await clipboard.clear()
  expect(log.lines).toEqual([expect.stringContaining('no display')])
  expect(log.lines.join()).not.toContain('123456')
})

test('a clipboard that hangs does not keep the program from ending for more than a second', async () => {
  const { clipboard, clock, system, log } = setUp()
  await clipboard.copy('123456')
  system.hangs = true
  let hasEnded = false
  void clipboard.clear().then(() => (hasEnded = true))
  await clock.advance(999)
  expect(hasEnded).toBe(false)
  await clock.advance(1)
  expect(hasEnded).toBe(true)
  expect(log.lines).toEqual([expect.stringContaining('did not answer')])
})

describe('Wayland takes a clear only from the program that has the keyboard', () => {
  test('so it is cleared again when the window has it, if it is still in there', async () => {
    const { clipboard, clock, system } = setUp()
    await clipboard.copy('123456')
    system.takesClears = false
    await clock.advance(30_000)
    expect(system.text).toBe('123456')
    system.takesClears = true
    await clipboard.focused()
    expect(system.text).toBe('')
  })

  test('one that hung at 30 s is looked at until it answers, and then no more', async () => {
    const { clipboard, clock, system } = setUp()
    await clipboard.copy('123456')
    system.hangs = true
    await clock.advance(31_000)
    const looking = clipboard.focused()
    await clock.advance(1_000)
    await looking
    expect(system.text).toBe('123456')
    system.hangs = false
    await clipboard.focused()
    expect(system.text).toBe('')
    const { reads } = system
    await clipboard.focused()
    expect(system.reads).toBe(reads)
  })

  test('what the user or Slipway has copied since stays', async () => {
    const { clipboard, clock, system } = setUp()
    await clipboard.copy('123456')
    await clock.advance(30_000)
    system.text = 'mine'
    await clipboard.focused()
    expect(system.text).toBe('mine')
    await clipboard.copy('123456')
    await clock.advance(30_000)
    await clipboard.copy('123456')
    await clipboard.focused()
    expect(system.text).toBe('123456')
  })
})
