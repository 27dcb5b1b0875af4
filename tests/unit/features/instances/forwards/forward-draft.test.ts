import { describe, expect, test } from 'vitest'
import {
  draftOf,
  forwardDraft,
  type ForwardDraft,
} from '../../../../../src-renderer/features/instances/forwards/forward-draft.ts'

const draft = { kind: 'local', name: '', port: '8888', to: '', isForNetwork: false } as const
const wrongField = (typed: ForwardDraft) => forwardDraft.safeParse(typed).error?.issues[0]?.path

describe('a typed forward', () => {
  test.each([
    ['8888', 'localhost', 8888],
    [' 10.0.0.5:80 ', '10.0.0.5', 80],
    ['[::1]:80', '::1', 80],
    ['db.internal:5432', 'db.internal', 5432],
  ])('leads to “%s” as a port of the machine or a host and a port', (to, host, port) => {
    expect(forwardDraft.parse({ ...draft, to })).toMatchObject({
      name: '',
      plan: {
        kind: 'local',
        entrance: { port: 8888, reach: 'loopback' },
        to: { host, port },
      },
    })
  })

  test.each(['', '0', '65536', '1e3', '-1', '80 81'])('is refused with “%s” for a port', (port) => {
    expect(wrongField({ ...draft, to: '80', port })).toEqual(['port'])
  })

  test.each(['', ':', 'host:', 'a b:80', '-oProxy:80', 'host:http'])(
    'is refused with “%s” for a target',
    (to) => {
      expect(wrongField({ ...draft, to })).toEqual(['to'])
    },
  )

  test('has a name of one line, or none', () => {
    expect(forwardDraft.parse({ ...draft, to: '80', name: ' Web UI ' }).name).toBe('Web UI')
    for (const name of ['x'.repeat(41), 'a\nb', 'a\u202Eb'])
      expect(wrongField({ ...draft, to: '80', name })).toEqual(['name'])
  })

  test('is for the network only when that is wished', () => {
    expect(forwardDraft.parse({ ...draft, kind: 'dynamic', isForNetwork: true })).toMatchObject({
      plan: { kind: 'dynamic', entrance: { port: 8888, reach: 'network' } },
    })
  })

  test.each([
    { kind: 'local', entrance: { port: 80, reach: 'network' }, to: { host: '::1', port: 81 } },
    { kind: 'remote', entrance: { port: 80, reach: 'loopback' }, to: { host: 'localhost', port: 81 } },
    { kind: 'dynamic', entrance: { port: 1080, reach: 'loopback' } },
  ] as const)('that is edited and left as it is stays the same ($kind)', (plan) => {
    expect(forwardDraft.parse(draftOf({ plan, name: 'Web UI' }))).toEqual({ plan, name: 'Web UI' })
  })
})
