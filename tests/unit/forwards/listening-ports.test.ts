import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseListening } from '#services/forwards/listening-ports.ts'

const hex = (port: number): string => port.toString(16).toUpperCase().padStart(4, '0')
/** A socket as Linux writes it. */
const socket = (address: string, port: number, state = '0A'): string => {
  const remote = address.length === 8 ? '00000000' : '0'.repeat(32)
  return `   0: ${address}:${hex(port)} ${remote}:0000 ${state} 00000000:00000000 00:00000000 00000000  1000        0 12345 1 0000000000000000 100 0 0 10 0`
}
const addresses = {
  loopback: '0100007F',
  any: '00000000',
  loopback6: '00000000000000000000000001000000',
  any6: '0'.repeat(32),
  mapped: '0000000000000000FFFF00000100007F',
  /** 172.17.0.2 */
  network: '020011AC',
  /** 127.0.0.53, which a resolver has */
  resolver: '3500007F',
  /** 127.0.0.1 with its bytes the other way round: 1.0.0.127 */
  reversed: '7F000001',
} as const

describe('ports that an instance listens on', () => {
  it.each(['loopback', 'any', 'loopback6', 'any6', 'mapped'] as const)('are told at %s', (name) => {
    expect(parseListening(socket(addresses[name], 8888)).ports).toEqual([8888])
  })

  it.each(['network', 'resolver', 'reversed'] as const)('are not told at %s alone', (name) => {
    expect(parseListening(socket(addresses[name], 8888)).ports).toEqual([])
  })

  it('are told once and in their order, however many sockets have them, and only if they listen', () => {
    const { loopback, any6, any } = addresses
    const text = [
      '  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode',
      socket(any, 8888),
      socket(loopback, 6006),
      socket(any6, 8888),
      socket(loopback, 7860, '01'),
      socket(loopback, 0),
    ].join('\n')
    expect(parseListening(text).ports).toEqual([6006, 8888])
  })

  it('leave out the SSH server’s, the system’s own, and those that Linux gives to whoever asks for any', () => {
    const ports = [22, 80, 111, 443, 1023, 1024, 2222, 32_767, 32_768, 65_535]
    const text = ['ssh 2222', ...ports.map((port) => socket(addresses.any, port))].join('\n')
    expect(parseListening(text).ports).toEqual([80, 443, 1024, 32_767])
  })

  it('are Jupyter’s where its files say so', () => {
    const text = ['ssh ', socket(addresses.any, 8888), 'jupyter 8888', 'jupyter x', 'jupyter 99'].join('\n')
    const { ports, jupyter } = parseListening(text)
    expect(ports.filter((port) => jupyter.has(port))).toEqual([8888])
  })

  it('are bounded, whatever comes', () => {
    const lines = Array.from({ length: 100_000 }, (_, at) => socket(addresses.any, 1024 + (at % 31_000)))
    const start = performance.now()
    expect(parseListening(lines.join('\n')).ports).toHaveLength(200)
    expect(parseListening(`${' '.repeat(1_000_000)}${'0'.repeat(1_000_000)}`).ports).toEqual([])
    expect(performance.now() - start).toBeLessThan(15_000)
  })

  it('are ports of this kind alone, from any text', () => {
    const line = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc
        .tuple(fc.constantFrom(...Object.values(addresses)), fc.integer({ min: 0, max: 65_535 }))
        .map((of) => socket(...of)),
      fc.integer({ min: -9, max: 999_999 }).map((port) => `jupyter ${port}`),
    )
    fc.assert(
      fc.property(fc.array(line), (lines) => {
        for (const port of parseListening(lines.join('\n')).ports)
          expect(port === 80 || port === 443 || (port >= 1024 && port < 32_768)).toBe(true)
      }),
    )
  })
})
