import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { sshAddressesOf } from '#domain/ssh/ssh-address.ts'
import { isVsCodeRemoteLink, vsCodeLink } from '#domain/instances/vscode-link.ts'

describe('a link to VS Code', () => {
  test('names the host by its address, and opens the home of root', () => {
    const address = { host: '203.0.113.7', port: 40_022 }
    expect(vsCodeLink({ kind: 'address', address, user: 'root' })).toBe(
      'vscode://vscode-remote/ssh-remote+root@203.0.113.7:40022/root',
    )
    expect(vsCodeLink({ kind: 'address', address, user: 'kim' })).toMatch(/\+kim@203\.0\.113\.7:40022\/$/)
  })

  test('names it by its entry in the SSH configuration where there is one', () => {
    expect(vsCodeLink({ kind: 'alias', alias: 'slipway-7', user: 'root' })).toBe(
      'vscode://vscode-remote/ssh-remote+slipway-7/root',
    )
  })

  test('cannot hold an IPv6 address', () => {
    expect(
      vsCodeLink({ kind: 'address', address: { host: '2001:db8::1', port: 22 }, user: 'root' }),
    ).toBeNull()
  })

  test('is always one that may be opened', () => {
    const host = fc.oneof(fc.ipV4(), fc.domain(), fc.string())
    fc.assert(
      fc.property(host, fc.integer({ min: 1, max: 65_535 }), (ssh_host, ssh_port) => {
        const { proxy } = sshAddressesOf({ ssh_host, ssh_port })
        if (proxy === null) return
        const link = vsCodeLink({ kind: 'address', address: proxy, user: 'root' })
        expect(link === null || isVsCodeRemoteLink(link)).toBe(true)
      }),
    )
  })

  test.each([
    'vscode://file/etc/passwd',
    'vscode://vscode-remote/wsl+Ubuntu/root',
    'vscode://ms-vscode.extension/install',
    'vscode://vscode-remote/ssh-remote+root@host:22/root?windowId=_blank',
    'vscode://vscode-remote/ssh-remote+root@host:22/root/../../etc',
    'vscode://vscode-remote/ssh-remote+-oProxyCommand=x/root',
    'vscode-insiders://vscode-remote/ssh-remote+host/root',
    'vscode://vscode-remote/ssh-remote+host/root\n',
  ])('may not be opened: %s', (link) => {
    expect(isVsCodeRemoteLink(link)).toBe(false)
  })
})
