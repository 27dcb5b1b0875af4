import { PassThrough } from 'node:stream'
import type { Client } from 'ssh2'
import { Latest } from '#domain/base/latest.ts'
import type { MachineNotes } from '#domain/figures/machine-check.ts'
import type { InstancesList } from '#domain/instances/listed-instance.ts'
import { MachineNotesStore } from '#services/figures/machine-notes.ts'
import type { ConnectionLease } from '#services/ssh/connection/connections.ts'
import { FakeClock } from '../../support/fake-clock.ts'
import { memoryLog } from '../../support/memory-log.ts'

export const rented = { machine_id: 7, start_date: 1_700_000_000 }

/** Instance 1, which runs, and whose record the service may change; each command that is run there says this. */
export function fakeInstance(commands: 'end' | 'hang' = 'end', says = '') {
  const clock = new FakeClock()
  const written: MachineNotes[] = []
  const list = new Latest<InstancesList>({ instances: null } as unknown as InstancesList)
  const setRecord = (record: Readonly<Record<string, unknown>> | null): void =>
    list.set({
      instances: record && [{ id: 1, status: 'running', history: [], record }],
    } as unknown as InstancesList)
  const log = memoryLog()
  const notes = new MachineNotesStore({
    file: {
      latest: new Latest<ReadonlyMap<number, MachineNotes>>(new Map()),
      write: async (_, value) => void written.push(value),
    },
    ...{ list, log },
  })
  let isFirst = true
  const exec = (_command: string, _how: unknown, opened?: (error: undefined, channel: unknown) => void) => {
    const channel = Object.assign(new PassThrough({ emitClose: false }), {
      stderr: new PassThrough(),
      close: () => undefined,
    })
    channel.end = () => channel
    // Its search for processes isn't answered, either.
    if (commands === 'end' || isFirst) opened?.(undefined, channel)
    isFirst = false
    if (says !== '') setImmediate(() => channel.push(says))
    if (commands === 'end') setImmediate(() => setImmediate(() => channel.emit('close', 0)))
  }
  const lease: ConnectionLease = {
    ...{ client: { exec } as unknown as Client, address: { host: 'a', port: 1 }, user: 'root' },
    ended: new Promise(() => undefined),
    ...{ breakOff: () => undefined, breach: () => undefined, release: () => undefined },
  }
  return { clock, written, list, log, notes, lease, setRecord }
}
