import { expect, test } from 'vitest'
import { noSshChoice } from '#domain/ssh/ssh-choice.ts'
import {
  hostsOfAccount,
  jumpHostNames,
  knownHostNames,
  type AccountPlaces,
} from '#services/diagnostics/account-hosts.ts'

const nothing: AccountPlaces = { account: { kind: 'none' }, instances: [], connections: [], choices: [] }

test('an account names its service and its machines, by both ways to them', () => {
  const record = {
    id: 1,
    public_ipaddr: '203.0.113.7',
    ports: { '22/tcp': [{ HostPort: '40022' }] },
    ssh_host: 'ssh4.example.com',
    ssh_port: 31_022,
  }
  const hosts = hostsOfAccount({
    ...nothing,
    account: {
      kind: 'connected',
      keyId: 'a',
      serviceAddress: 'https://cloud.example.com/api',
      userId: 7,
      keyMask: '…',
      keyKeptIn: 'keychain',
      bearer: 'api-key',
      user: null,
      checkedAt: null,
      problem: null,
    },
    instances: [{ id: 1, status: 'running', record, history: [], pending: null }],
  })
  expect(hosts).toEqual(['cloud.example.com', '203.0.113.7', 'ssh4.example.com'])
})

test('jump hosts that were chosen, or that a connection failed at, are named too', () => {
  const hosts = hostsOfAccount({
    ...nothing,
    connections: [
      { kind: 'idle' },
      {
        kind: 'failed',
        address: { host: 'machine.example', port: 22 },
        problem: {
          kind: 'at-hop',
          hop: { place: 1, of: 2, address: { host: 'first.example', port: 22 } },
          problem: {
            kind: 'no-way-on',
            to: { host: 'second.example', port: 22 },
            detail: '',
            isForbidden: false,
          },
        },
      },
    ],
    choices: [noSshChoice, { ...noSshChoice, via: { kind: 'jump', hosts: 'kim@gw:2222,[2001:db8::1]:22' } }],
  })
  expect(hosts).toEqual(['machine.example', 'first.example', 'second.example', 'gw', '2001:db8::1'])
})

test('no jump hosts have no names', () => {
  expect(jumpHostNames('')).toEqual([])
})

test.each([
  ['a.example,[203.0.113.7]:40022', ['a.example', '203.0.113.7']],
  ['*.example,!b.example,c?', []],
  ['|1|c2FsdA==|aGFzaA==', []],
])('of known_hosts: %s', (hosts, names) => {
  expect(knownHostNames(hosts)).toEqual(names)
})
