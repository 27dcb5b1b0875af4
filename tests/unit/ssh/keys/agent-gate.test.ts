import { PassThrough, Duplex } from 'node:stream'
import { describe, expect, test } from 'vitest'
import { AgentFrames, framed, longestAgentMessage, sshString } from '#services/ssh/keys/agent-frames.ts'
import { AgentGate } from '#services/ssh/keys/agent-gate.ts'
import { AgentLine } from '#services/ssh/keys/agent-line.ts'
import { systemClock } from '../../../../src-main/app/system-clock.ts'
import { waitFor } from '../../../support/wait-for.ts'

const failure = Buffer.of(5)
const bind = (name: string): Buffer =>
  Buffer.concat([Buffer.of(27), sshString(Buffer.from(name)), Buffer.of(0)])

/** A gate between a machine and an agent that are both this test. */
function open(answer: (request: Buffer) => Buffer | null = (request) => Buffer.of((request[0] ?? 0) + 1)) {
  const asked: number[] = []
  const frames = new AgentFrames()
  const toMachineSide = new PassThrough()
  const agent = Duplex.from({
    readable: toMachineSide,
    writable: new PassThrough().on('data', (piece: Buffer) => {
      for (const request of frames.add(piece)) {
        asked.push(request[0] ?? -1)
        const reply = answer(request)
        if (reply !== null) toMachineSide.write(reply)
      }
    }),
  })
  const gate = new AgentGate(new AgentLine(agent), systemClock)
  const answers: Buffer[] = []
  let ended = false
  const machine = new AgentFrames()
  const listen = (): void => {
    gate.on('data', (piece: Buffer) => answers.push(...machine.add(piece)))
    gate.on('end', () => (ended = true))
  }
  return { gate, asked, answers, listen, ended: () => ended, agent }
}

const honest = (request: Buffer): Buffer => framed(Buffer.of(request[0] === 27 ? 6 : (request[0] ?? 0) + 1))

describe('the agent as a machine meets it', () => {
  test('hears of listing, signing and binding only; all else is answered with a failure, in order', async () => {
    const { gate, asked, answers, listen } = open(honest)
    listen()
    const requests = Array.from({ length: 256 }, (_, type) =>
      type === 27 ? bind('session-bind@openssh.com') : Buffer.of(type),
    )
    gate.write(Buffer.concat([...requests, bind('query'), bind('session-bind@openssh.com.evil')].map(framed)))
    await waitFor(() => expect(answers).toHaveLength(258))
    expect(asked).toEqual([11, 13, 27])
    expect(answers.flatMap((answer, index) => (answer.equals(failure) ? [] : [index]))).toEqual([11, 13, 27])
  })

  test('is asked one thing after the other, whatever a machine sends ahead', async () => {
    const { gate, asked, answers, listen } = open(() => null)
    listen()
    const flood = Buffer.concat(Array.from({ length: 1_000 }, () => framed(Buffer.of(11))))
    while (gate.write(flood));
    await waitFor(() => expect(asked).toEqual([11]))
    expect(answers).toEqual([])
    expect(gate.writableLength).toBeLessThan(gate.writableHighWaterMark + flood.length)
    gate.endNow()
  })

  test('answers no further while its answers are not taken', async () => {
    const { gate, asked, listen, answers } = open((request) =>
      framed(Buffer.concat([Buffer.of((request[0] ?? 0) + 1), Buffer.alloc(100_000)])),
    )
    gate.write(Buffer.concat(Array.from({ length: 50 }, () => framed(Buffer.of(11)))))
    await waitFor(() => expect(asked.length).toBeGreaterThan(0))
    await waitFor(() => expect(gate.readableLength).toBeGreaterThan(0))
    expect(asked.length).toBeLessThan(5)
    listen()
    await waitFor(() => expect(answers).toHaveLength(50))
  })

  test.each([
    [
      'a message that is too long',
      (() => {
        const bytes = Buffer.alloc(4)
        bytes.writeUInt32BE(longestAgentMessage + 1)
        return bytes
      })(),
    ],
    ['an empty message', Buffer.alloc(4)],
  ])('ends with %s, and the agent hears nothing of it', async (_, bytes) => {
    const { gate, asked, listen, ended } = open(honest)
    listen()
    gate.write(bytes)
    await waitFor(() => expect(ended()).toBe(true))
    expect(asked).toEqual([])
  })

  test('takes the longest message, also a byte at a time', async () => {
    const { gate, answers, listen } = open(honest)
    listen()
    const message = framed(Buffer.concat([Buffer.of(13), Buffer.alloc(longestAgentMessage - 1)]))
    gate.write(message)
    for (const byte of framed(Buffer.of(13))) gate.write(Buffer.of(byte))
    await waitFor(() => expect(answers.map((answer) => answer[0])).toEqual([14, 14]))
  })

  test.each([
    ['answers with another message', () => framed(Buffer.of(14))],
    ['answers twice', () => Buffer.concat([framed(Buffer.of(12)), framed(Buffer.of(12))])],
    ['answers without end', () => Buffer.alloc(8, 0xff)],
  ])('ends when the agent %s', async (_, answer) => {
    const { gate, listen, ended, agent } = open(answer)
    listen()
    gate.write(framed(Buffer.of(11)))
    await waitFor(() => expect(ended()).toBe(true))
    expect(agent.destroyed).toBe(true)
  })
})
