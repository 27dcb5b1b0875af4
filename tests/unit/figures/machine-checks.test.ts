import { expect, test } from 'vitest'
import { Latest } from '#domain/base/latest.ts'
import type { ConnectionsList, ConnectionState } from '#domain/ssh/ssh-connection.ts'
import { MachineChecks } from '#services/figures/machine-checks.ts'
import { settle } from '../../support/fake-clock.ts'
import { fakeInstance, rented } from './fake-instance.ts'

test('a check that nobody asked for joins a connection quietly: it asks the user nothing', async () => {
  const { clock, log, notes, list, setRecord } = fakeInstance()
  setRecord(rented)
  const manners: unknown[] = []
  const state = { kind: 'open' } as ConnectionState
  const checks = new MachineChecks({
    ...{ clock, log, notes, list },
    connections: {
      acquire: async (_, _signal, manner = 'asking') => {
        manners.push(manner)
        throw new Error('It opens nothing')
      },
      state: () => new Latest(state),
      list: new Latest([{ instanceId: 1, state }]),
    },
    script: async () => '',
    onDifference: () => undefined,
    randomId: () => 'a',
  })
  const following = new AbortController()
  const followed = checks.follow(following.signal)
  await settle()
  await clock.advance(2_000)
  expect(manners).toEqual(['quiet'])
  checks.run(1)
  await settle()
  expect(manners).toEqual(['quiet', 'asking'])
  following.abort()
  await followed
  await checks.dispose()
})
