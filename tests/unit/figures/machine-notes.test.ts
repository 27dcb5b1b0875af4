import { expect, test } from 'vitest'
import { Latest } from '#domain/base/latest.ts'
import type { SpeedOutcome } from '#domain/figures/speed-test.ts'
import type { MachineNotes } from '#domain/figures/machine-check.ts'
import type { InstancesList } from '#domain/instances/listed-instance.ts'
import { MachineNotesStore } from '#services/figures/machine-notes.ts'
import { memoryLog } from '../../support/memory-log.ts'

const unmeasured: SpeedOutcome = { kind: 'unmeasured' }
const speed = { at: 1, disk: unmeasured, down: unmeasured, up: unmeasured }
const rented = { machine_id: 7, start_date: 1_700_000_000 }

/** The notes of instance 1, whose record the service may change. */
function store() {
  const written: MachineNotes[] = []
  const list = { value: { instances: null } as unknown as InstancesList }
  const notes = new MachineNotesStore({
    file: {
      latest: new Latest<ReadonlyMap<number, MachineNotes>>(new Map()),
      write: async (_, value) => void written.push(value),
    },
    list,
    log: memoryLog(),
  })
  return {
    ...{ notes, written },
    setRecord: (record: Readonly<Record<string, unknown>> | null) =>
      (list.value = { instances: record && [{ id: 1, record }] } as unknown as InstancesList),
  }
}

test('of an instance that isn’t listed nothing is written: it might be read as another one’s', () => {
  const { notes, written, setRecord } = store()
  notes.change(1, { speed })
  expect(written).toEqual([])
  setRecord(rented)
  expect(notes.of(1).speed).toBeNull()
})

test('a record that lacks a field for once loses nothing of whose notes they are', () => {
  const { notes, setRecord } = store()
  setRecord(rented)
  notes.change(1, { speed })
  setRecord({})
  notes.change(1, { accepted: ['disk'] })
  setRecord(rented)
  expect(notes.of(1)).toMatchObject({ speed, accepted: ['disk'] })
  setRecord({ ...rented, machine_id: 8 })
  expect(notes.of(1)).toMatchObject({ speed: null, accepted: [] })
})

test('what was measured on one machine isn’t written to another that has its id now', () => {
  const { notes, written, setRecord } = store()
  setRecord(rented)
  const measured = notes.identityOf(1)
  setRecord({ ...rented, machine_id: 8 })
  notes.change(1, { speed }, measured)
  expect(written).toEqual([])
  expect(notes.of(1).speed).toBeNull()
})
