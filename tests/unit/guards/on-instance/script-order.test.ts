import { describe, expect, test } from 'vitest'
import { orderText, revisionOf, type OrderedGuard } from '#services/guards/on-instance/script-order.ts'

const now = 1_000_000
const minute = 60_000
const idle: OrderedGuard = {
  ...{ id: 'i', action: 'stop', notBefore: null, dueAt: null },
  condition: { kind: 'idle', minutes: 30 },
}
const after: OrderedGuard = {
  ...{ id: 't', action: 'destroy', notBefore: null, dueAt: now + 90 * minute },
  condition: { kind: 'after', hours: 2 },
}
const serviceAddress = 'https://rent.example'
const revision = (guards: readonly OrderedGuard[]) => revisionOf(guards, serviceAddress)
const order = (guards: readonly OrderedGuard[]) =>
  orderText({ owner: 'laptop', instanceId: 5, serviceAddress, key: 'k', guards, now })

describe('what the script on an instance is told', () => {
  test('times as seconds to go, so that no clock but its own counts', () => {
    expect(order([idle, after])).toBe(
      [
        ...['owner=laptop', `revision=${revision([idle, after])}`, 'id=5'],
        ...[
          'api=https://rent.example/api/v0',
          'key=k',
          'rule=i stop idle 1800 0 300',
          'rule=t destroy after 5400 0 300',
          'end',
          '',
        ],
      ].join('\n'),
    )
  })

  test('what was missed is to be done at once', () => {
    expect(order([{ ...after, dueAt: now - minute }])).toContain('rule=t destroy after 1 0 300\n')
  })

  test('a far time as far as the script can count: it would refuse all rules with one that is farther', () => {
    expect(order([{ ...after, dueAt: now + 4e12 }])).toContain('rule=t destroy after 999999999 0 300\n')
  })

  test('a warning is half of a short time, whatever is left of it', () => {
    const short = { ...after, condition: { kind: 'after', hours: 0.05 }, dueAt: now } as const
    expect(order([short])).toContain('rule=t destroy after 1 0 90\n')
    const at = { ...after, condition: { kind: 'at', at: now }, dueAt: now } as const
    expect(order([at])).toContain('rule=t destroy after 1 0 300\n')
  })

  test('an idle rule that was postponed acts no earlier', () => {
    expect(order([{ ...idle, notBefore: now + 60 * minute }])).toContain('rule=i stop idle 1800 1800 300\n')
  })

  test('a process by its name, which ends when it hasn’t run for 10 min', () => {
    const process = { ...idle, condition: { kind: 'process', name: 'train.py' } } as const
    expect(order([process])).toContain('rule=i stop process 600 0 300 train.py\n')
    expect(order([{ ...process, notBefore: now + 60 * minute }])).toContain('process 600 3000 300 train.py\n')
  })

  test('a cost that nobody can reckon is no rule', () => {
    expect(order([{ ...after, condition: { kind: 'cost', usd: 3 }, dueAt: null }])).not.toContain('rule=')
  })

  test('what an instance can’t see to by itself is no rule, also when its time is known', () => {
    expect(order([{ ...after, condition: { kind: 'stopped', days: 2 } }])).not.toContain('rule=')
  })

  test('another revision for each change, and the same one as time goes by', () => {
    expect(revision([after])).toBe(revision([{ ...after, dueAt: now }]))
    for (const other of [[], [idle], [{ ...after, notBefore: now }], [{ ...after, action: 'stop' as const }]])
      expect(revision(other)).not.toBe(revision([after]))
    expect(revisionOf([after], 'https://moved.example')).not.toBe(revision([after]))
  })
})
