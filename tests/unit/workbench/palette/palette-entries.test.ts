import { describe, expect, test } from 'vitest'
import { appCommands } from '#domain/workbench/app-commands.ts'
import type { ListedInstance } from '#domain/instances/listed-instance.ts'
import { commandEntries } from '../../../../src-renderer/workbench/palette/command-entries.ts'
import { instanceEntries } from '../../../../src-renderer/workbench/palette/instance-entries.ts'
import { jumpHostEntries, settingsEntries } from '../../../../src-renderer/workbench/palette/list-entries.ts'
import type { PaletteEntry } from '../../../../src-renderer/workbench/palette/palette-entry.ts'
import { findEntries, indexEntries } from '../../../../src-renderer/workbench/palette/rank-entries.ts'

const running: ListedInstance = {
  id: 4711,
  status: 'running',
  history: [],
  pending: null,
  record: {
    id: 4711,
    gpu_name: 'RTX 4090',
    num_gpus: 2,
    dph_total: 0.68,
    label: 'training',
    ssh_host: 'ssh4.example',
    ssh_port: 20_022,
    public_ipaddr: '203.0.113.7',
  },
}
const booting: ListedInstance = {
  ...running,
  id: 4712,
  status: 'loading',
  record: { id: 4712, gpu_name: 'A100' },
}

const goals = (entries: readonly PaletteEntry[]): readonly string[] =>
  entries.flatMap(({ choice }) => (choice.kind === 'go' ? [choice.to] : []))
const found = (query: string, entries: readonly PaletteEntry[]) =>
  goals(findEntries([indexEntries(entries)], query, []))

const addressOf = ({ id }: ListedInstance) => (id === 4711 ? { host: 'ssh4.example', port: 20_022 } : null)

describe('instances', () => {
  const entries = instanceEntries([running, booting], addressOf, { off: null, stale: null })

  test.each(['training', '4711', 'rtx 4090', '203.0.113.7', 'ssh4.example', 'run'])(
    'are found by %s, the instance itself first',
    (query) => {
      expect(found(query, entries)[0]).toMatch(/^\/instances\/4711$/)
    },
  )

  test('an SSH host is listed by the address that SSH goes to', () => {
    const hosts = entries.filter(({ group }) => group === 'SSH hosts')
    expect(hosts.map(({ label }) => label)).toEqual(['ssh4.example:20022'])
  })

  test('what costs or ends something leads to the page’s own dialog', () => {
    expect(found('stop training', entries).at(0)).toBe('/instances/4711?do=stop')
    expect(found('destroy training', entries)).toEqual(['/instances/4711?do=destroy'])
  })

  test('what cannot be used now says why', () => {
    const reasons = new Map(entries.map(({ label, blocked }) => [label, blocked]))
    expect(reasons.get('Open terminal on training (4711)')).toBeNull()
    expect(reasons.get('Open terminal on instance 4712')).toBe('The instance isn’t running yet')
    const off = 'Slipway can’t reach the service'
    const offline = instanceEntries([running], addressOf, { off, stale: off })
    expect(offline.find(({ label }) => label.startsWith('Destroy'))?.blocked).toBe(off)
  })
})

describe('commands', () => {
  const options = { mac: false, blocked: {} }

  test('each is there once an account is connected, but for the palette that one is in', () => {
    const ids = commandEntries({ ...options, isConnected: true }).map(({ id }) => id)
    expect(ids).toEqual(appCommands.filter(({ id }) => id !== 'palette').map(({ id }) => `command:${id}`))
  })

  test('before that only those that need none', () => {
    const ids = commandEntries({ ...options, isConnected: false }).map(({ id }) => id)
    expect(ids).toContain('command:theme-dark')
    expect(ids).toContain('command:updates')
    expect(ids).toContain('command:cannot-sign-in')
    expect(ids).not.toContain('command:offers')
    expect(ids).not.toContain('command:sign-out')
  })

  test.each([
    ['add a one', 'command:add-one-time-password'],
    ['lock', 'command:hide-secrets'],
    ['2fa', 'command:add-method'],
    ['theme dark', 'command:theme-dark'],
    ["can't sign", 'command:cannot-sign-in'],
  ])('“%s” finds %s first', (query, id) => {
    expect(
      findEntries([indexEntries(commandEntries({ ...options, isConnected: true }))], query, [])[0]?.id,
    ).toBe(id)
  })
})

test('jump hosts lead to where they are set, sections of the settings to themselves', () => {
  expect(jumpHostEntries('')).toEqual([])
  expect(jumpHostEntries('me@bastion.example:2222, inner').map(({ label }) => label)).toEqual([
    'me@bastion.example:2222',
    'inner',
  ])
  expect(goals(settingsEntries())).toContain('/settings#terminals')
})
