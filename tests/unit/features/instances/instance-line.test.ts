import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { WatchedInstance } from '#domain/instances/instance.ts'
import {
  chargeText,
  costText,
  hasNote,
  instanceLine,
} from '../../../../src-renderer/features/instances/instance-line.ts'
import { historyMarks } from '../../../../src-renderer/features/instances/instance-text.ts'

const now = 1_795_232_670_000

function instance(
  status: string | null,
  record: Record<string, unknown> = {},
  pending: WatchedInstance['pending'] = null,
): WatchedInstance {
  return {
    id: 7,
    status,
    record: { id: 7, ssh_host: 'ssh4.example.com', ssh_port: 31_022, ...record },
    history: [{ status, at: now - 130_000 }],
    pending,
  }
}

describe('a line of the list', () => {
  test('a boot names its stage and how long it has been in it', () => {
    expect(instanceLine(instance('loading'), now).statusLabel).toBe('Downloading the image, 2:10')
    expect(instanceLine(instance(null), now).statusLabel).toBe('Provisioning, 2:10')
  })

  test('a dead end says that it stays, and what it costs', () => {
    const { note, actions } = instanceLine(instance('offline', { storage_total_cost: 0.02 }), now)
    expect(note).toContain('It won’t recover')
    expect(note).toContain('still charged $0.02/h')
    expect(actions.destroy).toBeNull()
    expect(actions.terminal).not.toBeNull()
    expect(instanceLine(instance('exited'), now).note).toContain('price unknown')
  })

  test('a status that nobody knows is shown as it is, as neither good nor bad', () => {
    expect(instanceLine(instance('frozen'), now)).toMatchObject({
      status: { tone: 'neutral', label: 'frozen' },
      note: null,
    })
  })

  test('a stopped one reads like its neighbours', () => {
    expect(instanceLine(instance('stopped'), now).statusLabel).toBe('Stopped')
    expect(instanceLine(instance('running', { cur_state: 'stopped' }), now).statusLabel).toBe('Stopped')
    expect(instanceLine(instance('frozen', { cur_state: 'stopped' }), now).statusLabel).toBe('Stopped')
    expect(instanceLine(instance('frozen', { cur_state: 'running' }), now).statusLabel).toBe('frozen')
  })

  test.each(['exited', 'unknown', 'offline'])(
    'one that is listed as stopped reads as such, not as a crash, while its status is %s',
    (status) => {
      const listed = instance(status, { cur_state: 'stopped', dph_total: 0.5, storage_total_cost: 0.02 })
      expect(instanceLine(listed, now)).toMatchObject({
        status: { tone: 'neutral', label: 'Stopped' },
        note: null,
        actions: { stop: 'The instance isn’t running', destroy: null },
      })
      expect(chargeText(listed)).toBe('$0.02/h')
      expect(historyMarks(listed)).toEqual([{ tone: 'neutral', label: 'Stopped' }])
    },
  )

  test('one that Slipway’s own stop brought to its end reads as stopped, and its history says when', () => {
    const { record, ...others } = instance('exited')
    const history = [
      { status: 'exited', at: now - 3000 },
      { status: 'running', at: now - 2000 },
      { status: 'exited', at: now - 1000, afterStop: true as const },
    ]
    const stopped = { ...others, record, history }
    expect(instanceLine(stopped, now)).toMatchObject({ statusLabel: 'Stopped', note: null })
    expect(historyMarks(stopped).map(({ label }) => label)).toEqual(['Exited', 'Running', 'Stopped'])
  })

  test('a cost that is not yet a cent says no more than that', () => {
    const rented = { dph_total: 0.1, start_date: now / 1000 - 60 }
    expect(costText(instance('running', rented), now)).toBe('< $0.01')
    expect(costText(instance('running', { ...rented, dph_total: 6 }), now)).toBe('$0.10')
  })

  test('what was asked for stays in sight until it is confirmed', () => {
    const asked = { action: 'stop', since: now - 12_000, failure: null, lists: 0 } as const
    const waiting = instanceLine(instance('running', {}, asked), now)
    expect(waiting.note).toBe('Stop requested 0:12 ago, not confirmed yet.')
    expect(waiting.actions).toMatchObject({ stop: 'Waiting for the service', destroy: null })

    const lost = { ...asked, failure: { kind: 'service-failed', status: 502, message: '' } } as const
    const unclear = instanceLine(instance('running', {}, lost), now)
    expect(unclear.note).toContain('no clear answer')
    expect(unclear.actions.stop).toBeNull()
  })

  test('without the service, what needs it is off, and SSH is not as long as an address is known', () => {
    const off = 'Slipway can’t reach the service'
    // An old state says nothing: it may run by now.
    for (const status of ['running', 'loading', 'stopped'])
      expect(instanceLine(instance(status), now, { off, stale: off }).actions).toEqual({
        terminal: null,
        stop: off,
        destroy: off,
      })
    const addressless = instance('running', { ssh_host: null })
    const { terminal } = instanceLine(addressless, now, { off, stale: off }).actions
    expect(terminal).toBe('Slipway can’t reach the service, and no SSH address is known')
  })

  test('while the service fails now and then, an old state keeps nobody from logging in, and all else is asked of it', () => {
    const stale = { off: null, stale: 'Slipway couldn’t refresh the list' }
    for (const status of [null, 'loading', 'stopped', 'exited'])
      expect(instanceLine(instance(status), now, stale).actions).toMatchObject({
        terminal: null,
        destroy: null,
      })
    const { terminal } = instanceLine(instance('loading', { ssh_host: null }), now, stale).actions
    expect(terminal).toBe('Slipway couldn’t refresh the list, and no SSH address is known')
    expect(instanceLine(instance('loading'), now).actions.terminal).toBe('The instance isn’t running yet')
  })

  test('any record gives a line, and a row is high enough for its note', () => {
    const record = fc.dictionary(
      fc.constantFrom('label', 'gpu_name', 'num_gpus', 'dph_total', 'start_date', 'ports', 'cur_state'),
      fc.jsonValue(),
    )
    const status = fc.oneof(fc.constantFrom(null, 'loading', 'running', 'exited', 'offline'), fc.string())
    fc.assert(
      fc.property(status, record, (state, fields) => {
        const one = instance(state, fields)
        expect(hasNote(one)).toBe(instanceLine(one, now).note !== null)
      }),
    )
  })
})
