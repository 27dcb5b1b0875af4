import { expect, test } from 'vitest'
import { SecretClipboard } from '../../../src-main/vault/secret-clipboard.ts'
import { FakeClock } from '../../support/fake-clock.ts'
import { memoryLog } from '../../support/memory-log.ts'

function setUp() {
  const clock = new FakeClock()
  const log = memoryLog()
  const system = { text: 'the user’s own', isBroken: false }
  const clipboard = new SecretClipboard({
    clipboard: {
      writeSecret: async (text) => void (system.text = text),
      read: async () => {
        if (system.isBroken) throw new Error('no display')
        return system.text
      },
      clear: () => void (system.text = ''),
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
