import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readAnswer } from '#services/guards/on-instance/script-answer.ts'

const said = {
  ...{ armed: true, version: 1, id: 5, running: true, uptime: 100, now: 104, proven: true },
  orders: [{ owner: 'laptop', revision: 'r1' }],
  rules: [
    {
      ...{
        owner: 'laptop',
        id: 'a',
        action: 'stop',
        condition: 'idle',
        seconds: 1800,
        elapsed: 60,
        left: 1740,
      },
      ...{ waits: 'busy-gpu', phase: 'waiting', tries: 0, answer: 0 },
    },
  ],
  acted: [{ owner: 'laptop', id: 'b', action: 'stop', at: 1_800_000_000, elapsed: 60 }],
}

describe('what the script on an instance says', () => {
  test('is read', () => {
    expect(readAnswer(JSON.stringify(said))).toMatchObject({
      armed: true,
      now: 104,
      proven: true,
      rules: [{ waits: 'busy-gpu', left: 1740, answer: 0 }],
      acted: said.acted,
    })
    const refusal = { armed: false, why: 'no-tool' }
    expect(readAnswer(JSON.stringify(refusal))).toEqual({ ...refusal, placed: true, acted: [] })
    const gone = { armed: false, why: 'not-armed', acted: said.acted }
    expect(readAnswer(JSON.stringify(gone))).toEqual({ ...gone, placed: true })
  })

  test.each([
    ['nothing', ''],
    ['half of it', JSON.stringify(said).slice(0, 80)],
    ['a word that the script does not know', '{"armed":false,"why":"<b>pay here</b>"}'],
    ['a time before its beginning', JSON.stringify({ ...said, uptime: -1 })],
    ['an endless time', JSON.stringify({ ...said, now: 1e30 })],
    ['more rules than Slipway gives', JSON.stringify({ ...said, rules: Array(65).fill(said.rules[0]) })],
    ['a reply that is no number', JSON.stringify(said).replace('"answer":0', '"answer":000')],
    ['more deeds than the script keeps', JSON.stringify({ ...said, acted: Array(21).fill(said.acted[0]) })],
    ['a long name', JSON.stringify({ ...said, orders: [{ owner: 'x'.repeat(65), revision: 'r' }] })],
  ])('is not believed: %s', (_, line) => {
    expect(readAnswer(line)).toBeNull()
  })

  test('whatever it says, it ends in an answer or in none', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.json()), (line) => {
        const answer = readAnswer(line)
        expect(answer === null || typeof answer.armed === 'boolean').toBe(true)
      }),
    )
  })
})
