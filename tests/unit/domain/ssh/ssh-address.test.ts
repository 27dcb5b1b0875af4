import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  addressesToTry,
  formatSshAddress,
  shownAddress,
  sshAddressesOf,
  sshCommand,
} from '#domain/ssh/ssh-address.ts'

const ports = { '22/tcp': [{ HostIp: '0.0.0.0', HostPort: '40022' }] }

describe('where an instance answers SSH', () => {
  test('directly, when port 22 is mapped', () => {
    expect(
      sshAddressesOf({
        public_ipaddr: '203.0.113.7\n',
        ports,
        ssh_host: 'ssh4.example.com',
        ssh_port: 31_022,
      }),
    ).toEqual({
      direct: { host: '203.0.113.7', port: 40_022 },
      proxy: { host: 'ssh4.example.com', port: 31_022 },
      preferred: { host: '203.0.113.7', port: 40_022 },
    })
  })

  test('through the proxy else', () => {
    for (const mapped of [
      undefined,
      {},
      { '22/tcp': null },
      { '22/tcp': [] },
      { '22/tcp': [{}] },
      'x',
      { '80/tcp': [] },
    ])
      expect(
        sshAddressesOf({
          public_ipaddr: '203.0.113.7',
          ports: mapped,
          ssh_host: 'ssh4.example.com',
          ssh_port: 22,
        }),
      ).toMatchObject({ direct: null, preferred: { host: 'ssh4.example.com', port: 22 } })
  })

  test('nowhere yet', () => {
    expect(sshAddressesOf({})).toEqual({ direct: null, proxy: null, preferred: null })
    expect(sshAddressesOf({ ssh_host: null, ssh_port: 22 }).preferred).toBeNull()
  })

  test('IPv6', () => {
    const { direct } = sshAddressesOf({ public_ipaddr: '2001:DB8::1', ports })
    expect(direct).toEqual({ host: '2001:db8::1', port: 40_022 })
    expect(direct && formatSshAddress(direct)).toBe('[2001:db8::1]:40022')
  })
})

describe('an address that is not strictly one counts as none', () => {
  test.each([
    '-oProxyCommand=calc',
    'host name',
    'host;reboot',
    'root@host',
    'host\nProxyCommand x',
    '$(id)',
    '256.1.1.1',
    '1.2.3',
    '2130706433',
    '0x7f.1',
    '127.0.0.01',
    'fe80::1%eth0',
    '1:2:3:4:5:6:7',
    '1::2::3',
    ':::',
    'a..b',
    '-a.example',
    'a-.example',
    'ex\u0430mple.com',
    `${'a'.repeat(64)}.example`,
    `${'a.'.repeat(127)}aa`,
    '',
    42,
    null,
    ['host'],
  ])('host %j', (host) => {
    expect(sshAddressesOf({ ssh_host: host, ssh_port: 22 }).proxy).toBeNull()
  })
  test.each([0, -1, 65_536, 22.5, '22a', '0x16', '', ' ', null, Number.NaN, '022', [22]])(
    'port %j',
    (port) => {
      expect(sshAddressesOf({ ssh_host: 'example.com', ssh_port: port }).proxy).toBeNull()
    },
  )
})

test('whatever a record holds, a command has exactly the words that it should have', () => {
  const hostile = fc.record({
    public_ipaddr: fc.oneof(fc.ipV4(), fc.ipV6(), fc.domain(), fc.jsonValue()),
    ports: fc.oneof(
      fc.record({ '22/tcp': fc.array(fc.record({ HostPort: fc.jsonValue() })) }),
      fc.constant(ports),
      fc.jsonValue(),
    ),
    ssh_host: fc.oneof(
      fc.domain(),
      fc.string(),
      fc.string().map((text) => `-${text}`),
    ),
    ssh_port: fc.oneof(fc.integer(), fc.jsonValue()),
  })
  fc.assert(
    fc.property(hostile, (record) => {
      const { direct, proxy, preferred } = sshAddressesOf(record)
      expect(preferred).toEqual(direct ?? proxy)
      for (const address of [direct, proxy]) {
        if (address === null) continue
        expect(sshCommand(address, 'root')).toMatch(/^ssh -p [1-9]\d{0,4} root@[a-z0-9:][a-z0-9.:-]*$/)
      }
    }),
    { numRuns: 1000 },
  )
})

test('every IPv4 and IPv6 address and host name is taken', () => {
  fc.assert(
    fc.property(fc.oneof(fc.ipV4(), fc.ipV6(), fc.domain()), (host) => {
      fc.pre(!/:.*\d\./.test(host)) // an IPv4 address inside an IPv6 one is not used by the service
      expect(sshAddressesOf({ ssh_host: host, ssh_port: 22 }).proxy?.host).toBe(host.toLowerCase())
    }),
  )
})

describe('the address of two to use', () => {
  const direct = { host: '203.0.113.7', port: 40_022 }
  const proxy = { host: 'ssh4.example.com', port: 31_022 }
  const both = { direct, proxy }

  test('is the direct one first, until the other one was reached last', () => {
    expect(addressesToTry(both, 'automatic', [])).toEqual([direct, proxy])
    expect(addressesToTry(both, 'automatic', [proxy])).toEqual([proxy, direct])
    expect(addressesToTry(both, 'automatic', [direct, proxy])).toEqual([direct, proxy])
    expect(addressesToTry(both, 'automatic', [{ ...direct, port: 1 }, proxy])).toEqual([proxy, direct])
  })

  test('is the chosen one alone, also while the instance doesn’t have it', () => {
    expect(addressesToTry(both, 'proxy', [direct])).toEqual([proxy])
    expect(addressesToTry(both, 'direct', [proxy])).toEqual([direct])
    expect(addressesToTry({ direct: null, proxy }, 'direct', [proxy])).toEqual([])
    expect(addressesToTry({ direct: null, proxy: null }, 'direct', [])).toEqual([])
  })

  test('is shown as the one that is in use, else as the first to try; without the chosen one, none', () => {
    const all = { ...both, preferred: direct }
    expect(shownAddress(all)).toEqual(direct)
    expect(shownAddress(all, { choice: 'automatic', reached: [proxy] })).toEqual(proxy)
    expect(shownAddress(all, { choice: 'proxy', reached: [direct] })).toEqual(proxy)
    // The choice holds from the next connection on.
    expect(shownAddress(all, { choice: 'direct', reached: [proxy] }, proxy)).toEqual(proxy)
    expect(shownAddress({ ...all, direct: null }, { choice: 'direct', reached: [] })).toBeNull()
  })

  test('is one where both are the same', () => {
    expect(addressesToTry({ direct, proxy: direct }, 'automatic', [direct])).toEqual([direct])
  })
})
