import { describe, expect, test } from 'vitest'
import { guardDraft } from '../../../../../src-renderer/features/instances/guards/guard-draft.ts'

const now = new Date('2026-11-21T18:00').getTime()
const schema = guardDraft(() => now)
const empty = { kind: 'after', at: '', hours: '', usd: '', minutes: '', days: '', process: '' } as const

describe('a typed guard', () => {
  test.each([
    [
      { kind: 'after', hours: '1.5' },
      { kind: 'after', hours: 1.5 },
    ],
    [
      { kind: 'cost', usd: ' 20 ' },
      { kind: 'cost', usd: 20 },
    ],
    [
      { kind: 'idle', minutes: '30' },
      { kind: 'idle', minutes: 30 },
    ],
    [
      { kind: 'process', process: ' train.py ' },
      { kind: 'process', name: 'train.py' },
    ],
    [
      { kind: 'stopped', days: '7' },
      { kind: 'stopped', days: 7 },
    ],
    [
      { kind: 'at', at: '2026-11-21T18:01' },
      { kind: 'at', at: now + 60_000 },
    ],
  ] as const)('%o', (typed, condition) => {
    expect(schema.parse({ ...empty, ...typed })).toEqual(condition)
  })

  test.each([
    [{ kind: 'after', hours: '' }, 'hours', 'Enter a number of hours above 0, such as 1.5.'],
    [{ kind: 'cost', usd: '0' }, 'usd', 'Enter an amount above $0, such as 0.5 or 1500.'],
    [{ kind: 'idle', minutes: 'ten' }, 'minutes', 'Enter 1 minute or more.'],
    [{ kind: 'stopped', days: '366' }, 'days', 'Enter a number of days above 0, up to 365.'],
    [{ kind: 'process', process: 'two words' }, 'process', expect.stringContaining('such as train.py')],
    [{ kind: 'process', process: 'src/train.py' }, 'process', expect.stringContaining('such as train.py')],
    [{ kind: 'process', process: 'a;b' }, 'process', expect.stringContaining('such as train.py')],
    [{ kind: 'at', at: '' }, 'at', 'Enter a date and time in the future.'],
    [{ kind: 'at', at: '2026-11-21T18:00' }, 'at', 'Enter a time in the future.'],
  ] as const)('what is wrong is said at its field: %o', (typed, field, why) => {
    const { error } = schema.safeParse({ ...empty, ...typed })
    expect(error?.issues).toMatchObject([{ path: [field], message: why }])
  })
})
