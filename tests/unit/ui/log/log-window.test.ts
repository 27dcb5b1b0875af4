import { expect, test } from 'vitest'
import type { LogPart } from '#domain/base/log-part.ts'
import { createLogWindow } from '#ui/log/log-window.ts'

/** A log of ASCII text, of which the oldest bytes may be gone. */
function logOf(initial: string, keptFrom = 0) {
  let text = initial
  const part = (from: number, to: number): LogPart => ({
    from,
    to,
    size: text.length,
    keptFrom,
    text: text.slice(from, to),
  })
  const read = (from: number, bytes: number) => {
    const start = Math.max(from, keptFrom)
    return Promise.resolve(part(start, Math.min(text.length, start + bytes)))
  }
  return {
    read,
    tail: (bytes = 65_536) => part(Math.max(keptFrom, text.length - bytes), text.length),
    write: (more: string) => (text += more),
    at: (line: string) => text.indexOf(line),
  }
}
/** Lines of 20 bytes. */
const lines = (count: number, from = 0) =>
  Array.from({ length: count }, (_, index) => `line ${from + index}`.padEnd(19, '.') + '\n').join('')

test('follows the end, with each byte once', async () => {
  const log = logOf(lines(10))
  const view = createLogWindow(log)
  await view.tell(log.tail())
  log.write(lines(5, 10))
  await view.tell(log.tail(60))
  log.write('half a li')
  await view.tell(log.tail(60))
  expect(view.lines.value).toHaveLength(16)
  log.write('ne\n')
  await view.tell(log.tail(60))
  expect(view.lines.value.at(-1)).toBe('half a line')
  expect(view.lines.value[9]).toMatch(/^line 9\./)
})

test('a log that runs ahead is shown from its end, without what lies between', async () => {
  const log = logOf(lines(10))
  const view = createLogWindow(log)
  await view.tell(log.tail())
  log.write(lines(20_000, 10))
  await view.tell(log.tail())
  expect(view.lines.value.at(-1)).toMatch(/^line 20009\./)
  expect(view.lines.value.length).toBeLessThan(4_000)
  expect(view.hasEarlier.value).toBe(true)
})

test('what somebody looks at stays while the log grows, and following goes on from its end', async () => {
  const log = logOf(lines(10))
  const view = createLogWindow(log)
  await view.tell(log.tail())
  view.stay()
  log.write(lines(10, 10))
  await view.tell(log.tail())
  expect(view.lines.value).toHaveLength(10)
  expect(view.hasLater.value).toBe(true)
  await view.follow()
  expect(view.lines.value).toHaveLength(20)
  expect(view.hasLater.value).toBe(false)
})

test('earlier parts join without a gap, as far as the log is kept', async () => {
  const log = logOf(lines(10_000), 20_000)
  const view = createLogWindow(log)
  await view.tell(log.tail())
  view.stay()
  let added = 0
  while (view.hasEarlier.value) added += await view.loadEarlier()
  expect(view.lines.value).toHaveLength(9_000)
  expect(view.lines.value[0]).toMatch(/^line 1000\./)
  expect(added).toBeGreaterThan(5_000)
  expect(view.lines.value.every((line, index) => line.startsWith(`line ${1_000 + index}.`))).toBe(true)
})

test('memory is bounded, at whichever end somebody reads on', async () => {
  const log = logOf(lines(200_000))
  const view = createLogWindow(log)
  await view.tell(log.tail())
  view.stay()
  for (let step = 0; step < 10; step += 1) await view.loadEarlier()
  expect(view.lines.value.length * 20).toBeLessThan(300_000)
  expect(view.hasLater.value).toBe(true)
  const first = view.lines.value[0] ?? ''
  const gone = -(await view.loadLater())
  expect(view.lines.value[0]).not.toBe(first)
  expect(gone).toBeLessThan(0)
})

test('a line that was found is shown among its neighbors', async () => {
  const log = logOf(lines(50_000))
  const view = createLogWindow(log)
  await view.tell(log.tail())
  const index = await view.show(log.at('line 20000.'))
  expect(view.lines.value[index]).toMatch(/^line 20000\./)
  expect(view.lines.value[index - 1]).toMatch(/^line 19999\./)
  expect(view.isFollowing.value).toBe(false)
  expect(await view.show(0)).toBe(0)
})

test('long lines are cut, and what steers a terminal is gone', async () => {
  const log = logOf(`\u001b[31mred\u001b[0m\n${'x'.repeat(5_000)}\nten\r20%\n`)
  const view = createLogWindow(log)
  await view.tell(log.tail())
  expect(view.lines.value[0]).toBe('red')
  expect(view.lines.value[1]).toMatch(/^x{2000}… \(3000 more characters\)$/)
  expect(view.lines.value[2]).toBe('20%')
})
