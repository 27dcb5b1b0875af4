import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  envOfItems,
  itemsOfEnv,
  readEnvFlags,
  writeEnvFlags,
  type EnvItem,
} from '#domain/renting/env-flags.ts'
import { formatPortMapping, parsePortMapping, portRanges, singlePorts } from '#domain/renting/port-mapping.ts'

const names = fc.stringMatching(/^[A-Za-z_][\w.]{0,12}$/).filter((name) => name !== '__proto__')
const variables = fc.record({
  kind: fc.constant('variable' as const),
  name: names,
  value: fc.string({ unit: 'grapheme' }).filter((text) => !text.includes('\0')),
})
const ports = fc
  .record({
    kind: fc.constant('ports' as const),
    host: fc.integer({ min: 1, max: 65_000 }),
    container: fc.integer({ min: 1, max: 65_000 }),
    count: fc.integer({ min: 1, max: 20 }),
    protocol: fc.constantFrom('tcp' as const, 'udp' as const, null),
  })
  .map((mapping): EnvItem => mapping)
const others = fc.constantFrom(
  ...['--shm-size=2g', '-v /data:/data', '-e NAME', '-p 80', '--gpus all', '--env-file "my env"'].flatMap(
    readEnvFlags,
  ),
)
const items = fc.array(fc.oneof(variables, ports, others))

test('the documented forms, with quotes, ranges and UDP', () => {
  const line = `-e A=1 --env "B=two words" -eC='$x' --env=D= -p 8080:80 -p=9000-9002:7000-7002/udp --publish 22:22/tcp`
  expect(readEnvFlags(line)).toEqual([
    { kind: 'variable', name: 'A', value: '1' },
    { kind: 'variable', name: 'B', value: 'two words' },
    { kind: 'variable', name: 'C', value: '$x' },
    { kind: 'variable', name: 'D', value: '' },
    { kind: 'ports', host: 8080, container: 80, count: 1, protocol: null },
    { kind: 'ports', host: 9000, container: 7000, count: 3, protocol: 'udp' },
    { kind: 'ports', host: 22, container: 22, count: 1, protocol: 'tcp' },
  ])
})

test('a request names each port of a range by itself', () => {
  expect(envOfItems(readEnvFlags(`-e A='x y' -p 9000-9002:7000-7002/udp`))).toEqual({
    A: 'x y',
    '-p 9000:7000/udp': '1',
    '-p 9001:7001/udp': '1',
    '-p 9002:7002/udp': '1',
  })
})

describe('what is not understood is kept, and says why', () => {
  test.each([
    ['-v /a:/b --shm-size 2g -e A=1', ['-v /a:/b', '--shm-size 2g']],
    ['-e NAME -e A=1', ['-e NAME']],
    ['-e A=1 -p', ['-p']],
    [
      '-p 80 -p 0:80 -p 80:70000 -p 1-3:1-2 -p 127.0.0.1:80:80 -e A=1',
      ['-p 80', '-p 0:80', '-p 80:70000', '-p 1-3:1-2', '-p 127.0.0.1:80:80'],
    ],
    [`-e A=1 -e "B=no end`, ['-e', '"B=no end']],
    ['--env-file x -e A=1 -e =v', ['--env-file x', '-e =v']],
    ['-e __proto__=1 -e A=1', ['-e __proto__=1']],
  ])('%j', (line, kept) => {
    const read = readEnvFlags(line)
    expect(read).toContainEqual({ kind: 'variable', name: 'A', value: '1' })
    const left = read.filter((item) => item.kind === 'other')
    expect(left.map(({ text }) => text)).toEqual(kept)
    expect(left.every(({ why }) => why.length > 10)).toBe(true)
    expect(readEnvFlags(writeEnvFlags(read))).toEqual(read)
  })
})

test('rows become flags and come back as they were', () => {
  fc.assert(
    fc.property(items, (rows) => {
      expect(readEnvFlags(writeEnvFlags(rows))).toEqual(rows)
    }),
  )
})

test('any line keeps its meaning when it is read and written', () => {
  const lines = fc.string({
    unit: fc.constantFrom('-e ', '-p ', '8', '0:', '1', 'A', '=', ' ', '"', "'", '\\', '/udp', '-v'),
  })
  fc.assert(
    fc.property(lines, (line) => {
      const read = readEnvFlags(line)
      expect(readEnvFlags(writeEnvFlags(read))).toEqual(read)
    }),
    { numRuns: 1000 },
  )
})

test('a request’s env is what its items stand for', () => {
  fc.assert(
    fc.property(fc.array(fc.oneof(variables, ports)), (rows) => {
      const env = envOfItems(rows)
      expect(envOfItems(itemsOfEnv(env))).toEqual(env)
    }),
  )
})

test('a port mapping is written as it was read', () => {
  fc.assert(
    fc.property(ports, (item) => {
      fc.pre(item.kind === 'ports')
      const { kind, ...mapping } = item
      expect({ kind, ...parsePortMapping(formatPortMapping(mapping)) }).toEqual(item)
    }),
  )
})

test('ports in a row are the range that they were spelt out from', () => {
  fc.assert(
    fc.property(ports, (item) => {
      fc.pre(item.kind === 'ports')
      const { kind: _, ...mapping } = item
      expect(portRanges(singlePorts(mapping))).toEqual([mapping])
    }),
  )
  const apart = ['80:80', '82:82', '83:83/udp', '84:90/udp'].flatMap((text) => parsePortMapping(text) ?? [])
  expect(portRanges(apart)).toEqual(apart)
})

describe('a line from anybody', () => {
  test('cannot stand for millions of ports', () => {
    const read = readEnvFlags('-p 1-65000:1-65000 '.repeat(5000) + '-e A=1')
    expect(Object.keys(envOfItems(read))).toHaveLength(65_001)
    expect(read.filter(({ kind }) => kind === 'other')).toHaveLength(4999)
  })

  test('is read in a moment, however many words it has', () => {
    expect(readEnvFlags('-e A=1 '.repeat(100_000))).toHaveLength(100_000)
  })
})
