import { PassThrough } from 'node:stream'
import fc from 'fast-check'
import { expect, onTestFinished, test, vi } from 'vitest'
import { awaitIdentification, noteGreeting } from '#services/ssh/connection/handshake-watch.ts'
import { settle } from '../../../support/fake-clock.ts'

/** What is noted of these pieces, as they come. */
function noted(...pieces: readonly string[]) {
  const socket = new PassThrough()
  const greeting = noteGreeting(socket)
  for (const piece of pieces) socket.emit('data', Buffer.from(piece))
  return greeting()
}

const nothing = { isSsh: false, turnedAway: null }

test.each([
  ['', nothing],
  ['HTTP/1.1 400 Bad Request\r\n', nothing],
  ['an SSH- in the midst of a line\r\n', nothing],
  ['SSH-2.0-x\r\n', { isSsh: true, turnedAway: null }],
  ['Hello\r\nSSH-2.0-x\r\n', { isSsh: true, turnedAway: null }],
  ['Exceeded MaxStartups\r\n', { isSsh: false, turnedAway: 'Exceeded MaxStartups' }],
  ['Exceeded MaxStartups\r\nSSH-2.0-x\r\n', { isSsh: true, turnedAway: null }],
  ['Not allowed at this time', { isSsh: false, turnedAway: 'Not allowed at this time' }],
  [`${'x'.repeat(2000)}\r\nExceeded MaxStartups\r\n`, nothing],
])('%j, however it comes', (text, expected) => {
  fc.assert(
    fc.property(fc.array(fc.nat(text.length)), (cuts) => {
      const places = [0, ...cuts.toSorted((a, b) => a - b), text.length]
      const pieces = places.slice(1).map((end, index) => text.slice(places[index], end))
      expect(noted(...pieces)).toEqual(expected)
    }),
    { numRuns: 30 },
  )
})

test('a stranger’s text is searched once for an identification, however small its pieces are', async () => {
  const stream = new PassThrough()
  const searched = vi.spyOn(RegExp.prototype, 'exec')
  onTestFinished(() => searched.mockRestore())
  const waiting = awaitIdentification(stream)
  const text = `${'x'.repeat(4000)}\r\n${'y\n'.repeat(500)}`
  for (const piece of text) {
    stream.write(piece)
    await settle()
  }
  const length = searched.mock.calls.reduce((sum, [given]) => sum + given.length, 0)
  expect(length).toBeLessThan(2 * text.length)
  stream.write('SSH-2.0-x\r\n')
  await waiting
  expect(String(stream.read())).toBe(`${text}SSH-2.0-x\r\n`)
})
