import { expect, test } from 'vitest'
import { OpenedFiles } from '#services/files/open/opened-files.ts'
import type { Connect } from '#services/files/session.ts'
import { SessionPool } from '#services/files/session-pool.ts'
import { FakeClock } from '../../../support/fake-clock.ts'
import { memoryLog } from '../../../support/memory-log.ts'

const file = { instanceId: 1, folder: '/root', name: 'a.txt' }

/** A question that the user leaves without an answer. */
const unanswered: Connect = (_, signal) =>
  new Promise((_resolve, reject) =>
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true }),
  )

function start() {
  const clock = new FakeClock()
  const sessions = new SessionPool(clock)
  const files = new OpenedFiles({
    ...{ connect: unanswered, sessions, clock, isConnected: () => false, log: memoryLog() },
  })
  return { clock, files }
}

test('a whole file isn’t waited for longer than some minutes, whatever it waits for', async () => {
  const { clock, files } = start()
  const reading = files.readWhole(file, 1_000, new AbortController().signal)
  await clock.advance(5 * 60_000)
  expect(await reading).toMatchObject({
    kind: 'failed',
    problem: { kind: 'failed', path: '/root/a.txt', detail: 'it took over 5 minutes' },
  })
})

test('who waits for a whole file can end that', async () => {
  const { files } = start()
  const end = new AbortController()
  const reading = files.readWhole(file, 1_000, end.signal)
  end.abort(new Error('enough'))
  await expect(reading).rejects.toThrow('enough')
})
