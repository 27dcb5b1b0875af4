import { describe, expect, test } from 'vitest'
import { parseJumpHosts } from '#domain/ssh/jump-host.ts'
import { SshFailure } from '#services/ssh/failure.ts'
import { hostConfigOf, jumpHostConfigOf, type ConfiguredRoute } from '#services/ssh/config/host-config.ts'
import { findRoute } from '#services/ssh/connection/route.ts'

const shared = { localUser: 'kim', homeFolder: '/home/kim', include: () => Promise.resolve([]) }

/** How an instance is reached by a configuration, or by a choice of one's own. */
async function routeBy(config: string, chosen: ConfiguredRoute | null = null) {
  const names = ['slipway-7', 'ssh4.rent.example']
  const { via } = await hostConfigOf(config, { ...shared, names, user: 'root' })
  const { hops, leavesOutCommand } = await findRoute({
    via: chosen ?? via,
    ofJumpHost: (name, user) =>
      jumpHostConfigOf(config, { ...shared, names: [name], user: user ?? shared.localUser }),
    localUser: shared.localUser,
  })
  return {
    hops: hops.map(({ address, user }) => `${user}@${address.host}:${address.port}`),
    leavesOutCommand,
  }
}

describe('the way by ~/.ssh/config', () => {
  test('is direct when it says nothing, or says so first', async () => {
    expect(await routeBy('')).toEqual({ hops: [], leavesOutCommand: false })
    const text = 'Host *.rent.example\n  ProxyJump none\nHost *\n  ProxyJump bastion\n'
    expect((await routeBy(text)).hops).toEqual([])
  })

  test('goes through ProxyJump, whose hosts it explains', async () => {
    const text = `Host ssh4.rent.example
  ProxyJump ops@bastion:2222,inner
Host bastion
  HostName bastion.corp.example
  User not-this
  Port 1
Host inner
  HostName %h.corp.example
  Port 2200
Host *
  User everybody
`
    expect((await routeBy(text)).hops).toEqual([
      'ops@bastion.corp.example:2222',
      'everybody@inner.corp.example:2200',
    ])
  })

  test('goes through what the first jump host needs itself', async () => {
    const text = 'Host slipway-*\n  ProxyJump b\nHost b\n  ProxyJump a\n  User bob\nHost a\n  User ann\n'
    expect((await routeBy(text)).hops).toEqual(['ann@a:22', 'bob@b:22'])
  })

  test('is not found where jump hosts lead in a circle, or cannot be read', async () => {
    const circle = routeBy('Host *\n  ProxyJump bastion\n')
    await expect(circle).rejects.toBeInstanceOf(SshFailure)
    await expect(circle).rejects.toMatchObject({
      problem: { kind: 'way-unclear', detail: { code: 'too-many-jump-hosts' } },
    })
    await expect(routeBy('ProxyJump -oProxyCommand=x')).rejects.toMatchObject({
      problem: { kind: 'way-unclear', detail: { code: 'unreadable-proxy-jump', text: '-oProxyCommand=x' } },
    })
  })

  test('leaves out a ProxyCommand and tells; what stands first counts', async () => {
    expect(await routeBy('ProxyCommand nc %h %p\nProxyJump late')).toEqual({
      hops: [],
      leavesOutCommand: true,
    })
    const behind = 'Host ssh4*\n  ProxyJump bastion\nHost bastion\n  ProxyCommand nc %h %p\n'
    expect(await routeBy(behind)).toEqual({ hops: ['kim@bastion:22'], leavesOutCommand: true })
    const first = 'Host *.rent.example\n  ProxyJump bastion\nHost !bastion *\n  ProxyCommand nc %h %p\n'
    expect(await routeBy(first)).toEqual({ hops: ['kim@bastion:22'], leavesOutCommand: false })
  })

  test('is overruled by a choice of one’s own, which it still explains', async () => {
    const text = 'Host slipway-7\n  ProxyJump other\nHost mine\n  HostName 10.0.0.1\n  User ada\n'
    const hosts = parseJumpHosts('mine') ?? []
    expect((await routeBy(text, { kind: 'jump', hosts })).hops).toEqual(['ada@10.0.0.1:22'])
    expect((await routeBy(text, { kind: 'direct' })).hops).toEqual([])
  })

  test('tells of ForwardAgent', async () => {
    const read = (text: string) => hostConfigOf(text, { ...shared, names: ['slipway-7'], user: 'root' })
    expect((await read('Host slipway-7\n  ForwardAgent yes\n')).forwardAgent).toBe(true)
    expect((await read('ForwardAgent no\nHost *\n  ForwardAgent yes\n')).forwardAgent).toBe(false)
    expect((await read('')).forwardAgent).toBe(false)
  })
})
