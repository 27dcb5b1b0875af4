import { describe, expect, test } from 'vitest'
import type { ProblemAtOnePlace, SshAddress } from '#domain/ssh/ssh.ts'
import { noHostConfig, type HostConfig } from '#services/ssh/config/host-config.ts'
import { failureOfAll, failureOfCommand, leadsNowhere } from '#services/ssh/connection/address-failures.ts'
import { explainFailure } from '#services/ssh/connection/connect-failure.ts'
import { findDestinations } from '#services/ssh/connection/connect-to-instance.ts'
import { directRoute, type Route } from '#services/ssh/connection/route.ts'
import { SshFailure } from '#services/ssh/failure.ts'
import { memoryLog } from '../../../support/memory-log.ts'

const direct = { host: '203.0.113.5', port: 40_022 }
const service = { host: 'ssh4.example.com', port: 31_022 }
const place = { kind: 'address', address: direct, fallback: service } as const
const unclear = new SshFailure({ kind: 'way-unclear', detail: 'ProxyJump x y' })

describe('how to get to each of two addresses', () => {
  const hop = { address: { host: 'jump.example', port: 22 }, user: 'me', config: noHostConfig }
  const configs = new Map<SshAddress, HostConfig>([
    [direct, { ...noHostConfig, user: 'alice', via: { kind: 'direct' } }],
    [service, { ...noHostConfig, via: { kind: 'jump', hosts: [] } }],
  ])
  const facts = {
    user: () => 'root',
    hostConfig: (address: SshAddress) => Promise.resolve(configs.get(address) ?? noHostConfig),
    findRoute: ({ via }: HostConfig): Promise<Route> =>
      Promise.resolve(via?.kind === 'jump' ? { hops: [hop], leavesOutCommand: false } : directRoute),
  }

  test('is what the configuration says of that address, and nothing of the other', async () => {
    expect(await findDestinations(place, facts)).toMatchObject([
      { address: direct, user: 'alice', route: directRoute },
      { address: service, user: 'root', route: { hops: [hop] } },
    ])
  })

  test('is known of one where it is unclear of the other, and of none where it is unclear of both', async () => {
    const findRoute = ({ via }: HostConfig): Promise<Route> =>
      via?.kind === 'direct' ? Promise.reject(unclear) : Promise.resolve(directRoute)
    expect(await findDestinations(place, { ...facts, findRoute })).toMatchObject([{ address: service }])
    const never = (): Promise<never> => Promise.reject(unclear)
    await expect(findDestinations(place, { ...facts, findRoute: never })).rejects.toBe(unclear)
  })
})

describe('where each address failed', () => {
  const failed = (one: ProblemAtOnePlace, other: ProblemAtOnePlace): unknown =>
    failureOfAll(
      [direct, service],
      new Map([
        [service, new SshFailure(other)],
        [direct, new SshFailure(one)],
      ]),
    )
  const onwards = (to: SshAddress, isForbidden: boolean): ProblemAtOnePlace => ({
    kind: 'no-way-on',
    to,
    detail: '',
    isForbidden,
  })

  test('each is named with its own reason, in order of preference', () => {
    expect(failed({ kind: 'refused' }, { kind: 'timeout' })).toMatchObject({
      problem: {
        kind: 'both-addresses',
        tries: [
          { address: direct, problem: { kind: 'refused' } },
          { address: service, problem: { kind: 'timeout' } },
        ],
      },
    })
  })

  test('a jump host forbids the way on only where it does for both', () => {
    expect(failed(onwards(direct, true), onwards(service, false))).toMatchObject({
      problem: { kind: 'both-addresses' },
    })
    expect(failed(onwards(direct, true), onwards(service, true))).toMatchObject({
      problem: { kind: 'no-way-on', isForbidden: true },
    })
  })

  test('an SSH server that lacks the same at both is told once', () => {
    const lacking = (detail: string): ProblemAtOnePlace => ({ kind: 'no-common-algorithm', detail })
    expect(failed(lacking('aes256-cbc'), lacking('aes256-cbc'))).toMatchObject({
      problem: { kind: 'no-common-algorithm', detail: 'aes256-cbc' },
    })
    expect(failed(lacking('aes256-cbc'), lacking('3des-cbc'))).toMatchObject({
      problem: { kind: 'both-addresses' },
    })
  })

  test('a ProxyCommand that isn’t run is blamed at the address that it’s for, with the reason there', () => {
    const byCommand: Route = { hops: [], leavesOutCommand: true }
    const error = failed({ kind: 'refused' }, { kind: 'timeout' })
    const blamed = (ofDirect: Route, ofService: Route): unknown =>
      failureOfCommand(error, [
        { address: direct, route: ofDirect },
        { address: service, route: ofService },
      ])
    expect(blamed(directRoute, byCommand)).toEqual({ address: service, problem: { kind: 'timeout' } })
    expect(blamed(byCommand, directRoute)).toEqual({ address: direct, problem: { kind: 'refused' } })
    expect(blamed(byCommand, byCommand)).toEqual({ address: direct, problem: { kind: 'refused' } })
    expect(blamed(directRoute, directRoute)).toBeNull()
    const alone = new SshFailure({ kind: 'timeout' })
    expect(failureOfCommand(alone, [{ address: service, route: byCommand }])).toEqual({
      address: service,
      problem: { kind: 'timeout' },
    })
  })

  test('a ProxyCommand isn’t blamed where a server answered at one address', () => {
    const error = failed({ kind: 'not-ssh', detail: '' }, { kind: 'timeout' })
    const destinations = [direct, service].map((address) => ({
      address,
      route: { hops: [], leavesOutCommand: true },
    }))
    expect(failureOfCommand(error, destinations)).toBeNull()
  })

  test('one that broke the protocol isn’t tried again by itself, whatever the other may do', () => {
    const circumstances = { address: direct, knownHostsFile: 'known_hosts', log: memoryLog() }
    const isPassing = (one: ProblemAtOnePlace): boolean =>
      explainFailure(failed(one, { kind: 'refused' }), circumstances).isPassing
    expect(isPassing({ kind: 'protocol-broken', detail: '' })).toBe(false)
    expect(isPassing({ kind: 'out-of-order' })).toBe(false)
    expect(isPassing({ kind: 'not-ssh', detail: '' })).toBe(true)
  })

  test('the other one may do better only where no host was found, or none that went as far as its key', () => {
    const passing: ProblemAtOnePlace[] = [
      { kind: 'unanswered', step: 'login' },
      { kind: 'link-lost', detail: '' },
      { kind: 'not-ssh', detail: '' },
      { kind: 'no-common-algorithm', detail: '' },
      { kind: 'out-of-order' },
      { kind: 'protocol-broken', detail: '' },
    ]
    expect(passing.filter((each) => !leadsNowhere(each))).toEqual([])
    const final: ProblemAtOnePlace[] = [
      { kind: 'host-key-refused' },
      { kind: 'stopped' },
      { kind: 'signature-invalid' },
      { kind: 'no-keys', skipped: [] },
    ]
    expect(final.filter(leadsNowhere)).toEqual([])
  })
})
