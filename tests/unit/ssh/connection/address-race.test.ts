import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { nextRaceStep, type AddressTry } from '#services/ssh/connection/address-race.ts'

const tries = fc.array(fc.constantFrom<AddressTry>('untried', 'trying', 'failed', 'greeted'), {
  minLength: 1,
  maxLength: 4,
})

describe('which address is tried next', () => {
  test('is the first one, then the next when that has failed or had its head start', () => {
    expect(nextRaceStep(['untried', 'untried'], false)).toEqual({ kind: 'try', index: 0 })
    expect(nextRaceStep(['trying', 'untried'], false)).toEqual({ kind: 'wait' })
    expect(nextRaceStep(['trying', 'untried'], true)).toEqual({ kind: 'try', index: 1 })
    expect(nextRaceStep(['failed', 'untried'], false)).toEqual({ kind: 'try', index: 1 })
    expect(nextRaceStep(['failed', 'trying'], true)).toEqual({ kind: 'wait' })
    expect(nextRaceStep(['trying', 'greeted'], true)).toEqual({ kind: 'won', index: 1 })
    expect(nextRaceStep(['failed', 'failed'], true)).toEqual({ kind: 'lost' })
  })

  test('is an untried one, in order; nothing waits for nobody, and one that greets always wins', () => {
    fc.assert(
      fc.property(tries, fc.boolean(), (now, isHeadStartOver) => {
        const step = nextRaceStep(now, isHeadStartOver)
        if (step.kind === 'won') expect(now[step.index]).toBe('greeted')
        else expect(now).not.toContain('greeted')
        if (step.kind === 'try') expect(step.index).toBe(now.indexOf('untried'))
        if (step.kind === 'wait') expect(now).toContain('trying')
        expect(step.kind === 'lost').toBe(now.every((each) => each === 'failed'))
      }),
    )
  })

  test('leads to one winner, or to a try of every address, whatever each of them does', () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom('greets', 'fails', 'greets late'), { minLength: 1, maxLength: 4 }),
        (fates) => {
          const now: AddressTry[] = fates.map(() => 'untried')
          const order: number[] = []
          let isHeadStartOver = false
          for (;;) {
            const step = nextRaceStep(now, isHeadStartOver)
            if (step.kind === 'won') {
              expect(fates[step.index]).not.toBe('fails')
              break
            }
            if (step.kind === 'lost') {
              expect(fates.every((fate) => fate === 'fails')).toBe(true)
              break
            }
            if (step.kind === 'try') {
              order.push(step.index)
              const fate = fates[step.index]
              now[step.index] = fate === 'greets' ? 'greeted' : fate === 'fails' ? 'failed' : 'trying'
              isHeadStartOver = false
            } else if (!isHeadStartOver) isHeadStartOver = true
            else now[now.indexOf('trying')] = 'greeted'
          }
          expect(order).toEqual(order.map((_, place) => place))
        },
      ),
    )
  })
})
