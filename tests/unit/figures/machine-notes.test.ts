import { expect, test } from 'vitest'
import type { SpeedOutcome } from '#domain/figures/speed-test.ts'
import { fakeInstance, rented } from './fake-instance.ts'

const unmeasured: SpeedOutcome = { kind: 'unmeasured' }
const speed = { at: 1, disk: unmeasured, down: unmeasured, up: unmeasured }

test('of an instance that isn’t listed nothing is written: it might be read as another one’s', () => {
  const { notes, written, setRecord } = fakeInstance()
  notes.change(1, { speed })
  expect(written).toEqual([])
  setRecord(rented)
  expect(notes.of(1).speed).toBeNull()
})

test('a record that lacks a field for once loses nothing of whose notes they are', () => {
  const { notes, setRecord } = fakeInstance()
  setRecord(rented)
  notes.change(1, { speed })
  setRecord({})
  notes.change(1, { accepted: ['disk'] })
  setRecord(rented)
  expect(notes.of(1)).toMatchObject({ speed, accepted: ['disk'] })
  setRecord({ ...rented, machine_id: 8 })
  expect(notes.of(1)).toMatchObject({ speed: null, accepted: [] })
})
