import { PassThrough } from 'node:stream'
import { describe, expect, test } from 'vitest'
import type { SshAddress } from '#domain/ssh/ssh.ts'
import { AddressProbes } from '#services/ssh/connection/address-probes.ts'
import { SshFailure } from '#services/ssh/failure.ts'
import { FakeClock, settle } from '../../../support/fake-clock.ts'

const direct = { host: '203.0.113.5', port: 40_022 }
const service = { host: 'ssh4.example.com', port: 31_022 }
const both = [direct, service]

/** Addresses that greet, refuse, or stay silent. */
function world(answers: ReadonlyMap<SshAddress, 'greets' | 'refuses'>) {
  const streams: PassThrough[] = []
  const clock = new FakeClock()
  const probes = new AddressProbes({
    clock,
    open: async (address) => {
      if (answers.get(address) === 'refuses') throw new SshFailure({ kind: 'refused' })
      const stream = new PassThrough()
      streams.push(stream)
      if (answers.get(address) === 'greets') stream.write('SSH-2.0-OpenSSH_9.2\r\n')
      return { stream, bytesRead: () => 0 }
    },
  })
  return { probes, clock, streams }
}

describe('of two addresses', () => {
  test('the preferred one that greets is the answer; nothing is sent, and nothing stays open', async () => {
    const { probes, streams } = world(new Map([[direct, 'greets']]))
    await probes.probe(7, both)
    expect(probes.of(7, both)?.answer).toBe(direct)
    expect(streams.map(({ destroyed }) => destroyed)).toEqual([true])
  })

  test('the other one is, where the preferred one refuses or is silent', async () => {
    const refusing = world(
      new Map([
        [direct, 'refuses'],
        [service, 'greets'],
      ]),
    )
    await refusing.probes.probe(7, both)
    expect(refusing.probes.of(7, both)?.answer).toBe(service)
    const silent = world(new Map([[service, 'greets']]))
    const probing = silent.probes.probe(7, both)
    await silent.clock.advance(1_500)
    await probing
    expect(silent.probes.of(7, both)?.answer).toBe(service)
    expect(silent.streams.map(({ destroyed }) => destroyed)).toEqual([true, true])
  })

  test('none is, after 3 seconds, where both are silent', async () => {
    const { probes, clock, streams } = world(new Map())
    const probing = probes.probe(7, both)
    await clock.advance(2_999)
    expect(probes.of(7, both)).toBeNull()
    await clock.advance(1)
    await probing
    expect(probes.of(7, both)?.answer).toBe('none')
    expect(streams.map(({ destroyed }) => destroyed)).toEqual([true, true])
  })

  test('two who want to know ask once, and the answer is no other address’s', async () => {
    const { probes, streams } = world(new Map([[direct, 'greets']]))
    await Promise.all([probes.probe(7, both), probes.probe(7, both)])
    expect(streams).toHaveLength(1)
    expect(probes.of(7, [service, direct])).toBeNull()
    expect(probes.of(8, both)).toBeNull()
  })

  test('the end of the account closes what is asked, and tells nothing', async () => {
    const { probes, streams } = world(new Map())
    const probing = probes.probe(7, both)
    await settle()
    await probes.dispose()
    await probing
    expect(streams.map(({ destroyed }) => destroyed)).toEqual([true])
    expect(probes.of(7, both)).toBeNull()
  })
})
