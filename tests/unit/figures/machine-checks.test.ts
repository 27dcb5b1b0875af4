import { expect, test } from 'vitest'
import { Latest } from '#domain/base/latest.ts'
import type { ConnectionState } from '#domain/ssh/ssh-connection.ts'
import { MachineChecks } from '#services/figures/machine-checks.ts'
import { settle } from '../../support/fake-clock.ts'
import { fakeInstance, rented } from './fake-instance.ts'
import { recorded } from './recorded.ts'

/** The checks of an instance that is connected to, two seconds after that; `says` its figures, or opens nothing. */
async function checked(says: string | null) {
  const { clock, log, notes, list, lease, setRecord } = fakeInstance('end', says ?? '')
  setRecord(rented)
  const manners: unknown[] = []
  const told: unknown[] = []
  const state = { kind: 'open' } as ConnectionState
  const checks = new MachineChecks({
    ...{ clock, log, notes, list },
    connections: {
      acquire: async (_, _signal, manner = 'asking') => {
        manners.push(manner)
        if (says === null) throw new Error('It opens nothing')
        return lease
      },
      state: () => new Latest(state),
      list: new Latest([{ instanceId: 1, state }]),
    },
    script: async () => '',
    onDifference: (...what) => told.push(what),
    randomId: () => 'a',
  })
  const following = new AbortController()
  const followed = checks.follow(following.signal)
  await settle()
  await clock.advance(2_000)
  return {
    ...{ checks, manners, notes, told },
    end: async () => {
      following.abort()
      await followed
      await checks.dispose()
    },
  }
}

test('a check that nobody asked for joins a connection quietly: it asks the user nothing', async () => {
  const { checks, manners, end } = await checked(null)
  expect(manners).toEqual(['quiet'])
  checks.run(1)
  await settle()
  expect(manners).toEqual(['quiet', 'asking'])
  await end()
})

test('a GPU tool that fails is told, though nothing is known to differ', async () => {
  const line = { version: '1', uptime: '5.0 1.0', ...recorded.driverError }
  const { notes, told, end } = await checked(`${JSON.stringify(line)}\n`)
  expect(notes.of(1).check?.gpuTool).toBe('fails')
  expect(told).toEqual([[1, 'gpu-tool-fails']])
  await end()
})
