import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { portMappingsOf, portUrl } from '#domain/instances/port-mappings.ts'

const at = (port: string) => [{ HostIp: '0.0.0.0', HostPort: port }]

describe('mapped ports', () => {
  test('are listed by the port inside, on the public address', () => {
    const record = {
      public_ipaddr: '203.0.113.7',
      ports: { '8080/tcp': at('40022'), '22/tcp': at('40021'), '53/udp': at('40023') },
    }
    expect(portMappingsOf(record)).toEqual([
      { containerPort: 22, protocol: 'tcp', host: '203.0.113.7', hostPort: 40_021 },
      { containerPort: 53, protocol: 'udp', host: '203.0.113.7', hostPort: 40_023 },
      { containerPort: 8080, protocol: 'tcp', host: '203.0.113.7', hostPort: 40_022 },
    ])
  })

  test('are listed once, though a host names them for each of its address families', () => {
    const ports = { '80/tcp': [...at('40022'), { HostIp: '::', HostPort: '40022' }] }
    expect(portMappingsOf({ public_ipaddr: '203.0.113.7', ports })).toHaveLength(1)
  })

  test.each([
    { ports: { '80/tcp': at('40022') } },
    { public_ipaddr: 'evil.example/?', ports: { '80/tcp': at('40022') } },
    { public_ipaddr: '203.0.113.7', ports: { '80': at('40022') } },
    { public_ipaddr: '203.0.113.7', ports: { '80/sctp': at('40022') } },
    { public_ipaddr: '203.0.113.7', ports: { '80/tcp': at('99999') } },
    { public_ipaddr: '203.0.113.7', ports: { '80/tcp': at('80@evil.example') } },
    { public_ipaddr: '203.0.113.7', ports: { '80/tcp': null } },
    { public_ipaddr: '203.0.113.7', ports: [at('40022')] },
  ])('are none in %j', (record) => {
    expect(portMappingsOf(record)).toEqual([])
  })

  test('become links that go to exactly that host and port, whatever the record holds', () => {
    const port = fc.oneof(fc.integer({ min: 0, max: 70_000 }).map(String), fc.string())
    const record = fc.record({
      public_ipaddr: fc.oneof(fc.ipV4(), fc.ipV6(), fc.domain(), fc.string()),
      ports: fc.dictionary(
        fc.oneof(
          port.map((each) => `${each}/tcp`),
          fc.string(),
        ),
        fc.oneof(fc.array(fc.record({ HostPort: port })), fc.jsonValue()),
      ),
    })
    fc.assert(
      fc.property(record, fc.constantFrom('http' as const, 'https' as const), (fields, scheme) => {
        for (const mapping of portMappingsOf(fields)) {
          const url = portUrl(mapping, scheme)
          if (url === null) continue
          const parsed = new URL(url)
          expect(parsed.protocol).toBe(`${scheme}:`)
          expect(`${parsed.username}${parsed.password}${parsed.search}${parsed.hash}`).toBe('')
          expect(parsed.pathname).toBe('/')
          expect(Number(parsed.port || { http: 80, https: 443 }[scheme])).toBe(mapping.hostPort)
        }
      }),
    )
  })

  test('are no links for SSH and UDP', () => {
    const base = { host: '203.0.113.7', hostPort: 40_022 }
    expect(portUrl({ ...base, containerPort: 22, protocol: 'tcp' }, 'http')).toBeNull()
    expect(portUrl({ ...base, containerPort: 80, protocol: 'udp' }, 'http')).toBeNull()
  })
})
