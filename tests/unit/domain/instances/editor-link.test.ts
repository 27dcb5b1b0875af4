import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { editor, editorLink, isEditorLink } from '#domain/instances/editor-link.ts'
import { sshAddressesOf } from '#domain/ssh/ssh-address.ts'

const address = { host: '203.0.113.7', port: 40_022 }
const root = { address, alias: null, user: 'root', folder: null }

describe('a link to an editor', () => {
  test.each([
    ['vscode', 'vscode://vscode-remote/ssh-remote+root@203.0.113.7:40022/workspace/my%20model'],
    ['cursor', 'cursor://vscode-remote/ssh-remote+root@203.0.113.7:40022/workspace/my%20model'],
    ['zed', 'zed://ssh/root@203.0.113.7:40022/workspace/my%20model'],
    [
      'gateway',
      'jetbrains-gateway://connect#type=ssh&deploy=false&host=203.0.113.7&port=40022&user=root&projectPath=%2Fworkspace%2Fmy%20model',
    ],
  ] as const)('names the host by its address, and opens the folder: %s', (to, link) => {
    expect(editorLink(to, { ...root, folder: '/workspace/my model' })).toBe(link)
  })

  test.each([
    ['vscode', 'vscode://vscode-remote/ssh-remote+slipway-7/root'],
    ['cursor', 'cursor://vscode-remote/ssh-remote+slipway-7/root'],
    ['zed', 'zed://ssh/slipway-7/root'],
    [
      'gateway',
      'jetbrains-gateway://connect#type=ssh&deploy=false&host=slipway-7&port=40022&user=root&projectPath=%2Froot',
    ],
  ] as const)('names it by its entry in the SSH configuration where there is one: %s', (to, link) => {
    expect(editorLink(to, { ...root, alias: 'slipway-7' })).toBe(link)
  })

  test('opens the home of root, or the top for others, without a folder that a link can hold', () => {
    const long = `/${'x/'.repeat(1500)}`
    const others = ['relative', '.evil.example/root', '1/root', '22/x', '@evil.example/x', '']
    for (const folder of [null, ...others, '/root/../etc', '/./x', long, '/é'.repeat(400)])
      expect(editorLink('zed', { ...root, folder })).toBe('zed://ssh/root@203.0.113.7:40022/root')
    expect(editorLink('vscode', { ...root, user: 'kim' })).toMatch(/\+kim@203\.0\.113\.7:40022\/$/)
  })

  test('VS Code and Cursor get the parent of what they would take for a file or a workspace', () => {
    for (const folder of ['/project/step:1000', '/project/all.code-workspace'])
      expect(editorLink('vscode', { ...root, folder })).toMatch(/:40022\/project$/)
    expect(editorLink('zed', { ...root, folder: '/project/step:1000' })).toMatch(/\/project\/step%3A1000$/)
    expect(editorLink('cursor', { ...root, folder: '/x:1' })).toMatch(/:40022\/$/)
  })

  test('can’t hold an IPv6 address, which a name in the SSH configuration stands for', () => {
    const six = { ...root, address: { host: '2001:db8::1', port: 22 } }
    for (const to of editor.options) {
      expect(editorLink(to, six)).toBeNull()
      expect(editorLink(to, { ...six, alias: 'slipway-7' })).not.toBeNull()
    }
  })

  test('is always one that may be opened, with nothing in it that a shell would read, whatever the folder’s name', () => {
    const host = fc.oneof(fc.ipV4(), fc.domain(), fc.string())
    const folder = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.array(fc.string({ unit: 'binary' })).map((names) => `/${names.join('/')}`),
    )
    fc.assert(
      fc.property(
        fc.constantFrom(...editor.options),
        host,
        fc.integer({ min: 1, max: 65_535 }),
        folder,
        (to, ssh_host, ssh_port, path) => {
          const { proxy } = sshAddressesOf({ ssh_host, ssh_port })
          if (proxy === null) return
          const link = editorLink(to, { ...root, address: proxy, folder: path })
          if (link === null) return
          expect(isEditorLink(to, link)).toBe(true)
          // What says where is the service's, whatever the instance calls its folders.
          const [, told] = /(?:ssh-remote\+|ssh\/)([^/]+)\//.exec(link) ?? []
          if (to !== 'gateway') expect(told).toBe(`root@${proxy.host}:${proxy.port}`)
          expect(link).toMatch(/^[\w.~%:/@+#&=-]+$/)
        },
      ),
    )
  })

  test('holds the folder’s own name, however odd', () => {
    const name = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 40 })
    fc.assert(
      fc.property(fc.array(name.filter((one) => !/\//.test(one) && !/^\.{1,2}$/.test(one))), (names) => {
        const folder = `/${names.join('/')}`
        const link = editorLink('zed', { ...root, folder }) ?? ''
        const told = decodeURIComponent(link.slice('zed://ssh/root@203.0.113.7:40022'.length))
        expect([folder, '/root']).toContain(told)
        if (folder.length < 150) expect(told).toBe(folder)
      }),
    )
  })

  test.each([
    ['vscode', 'vscode://file/etc/passwd'],
    ['vscode', 'vscode://vscode-remote/wsl+Ubuntu/root'],
    ['vscode', 'vscode://ms-vscode.extension/install'],
    ['vscode', 'vscode://vscode-remote/ssh-remote+root@host:22/root?windowId=_blank'],
    ['vscode', 'vscode://vscode-remote/ssh-remote+root@host:22/root/../../etc'],
    ['vscode', 'vscode://vscode-remote/ssh-remote+root@host:22/root/%2E%2E/etc'],
    ['vscode', 'vscode://vscode-remote/ssh-remote+-oProxyCommand=x/root'],
    ['vscode', 'vscode-insiders://vscode-remote/ssh-remote+host/root'],
    ['vscode', 'vscode://vscode-remote/ssh-remote+host/root\n'],
    ['vscode', 'cursor://vscode-remote/ssh-remote+host/root'],
    ['cursor', 'vscode://vscode-remote/ssh-remote+host/root'],
    ['cursor', 'cursor://anysphere.cursor-deeplink/mcp/install?name=x'],
    ['zed', 'zed://file/etc/passwd'],
    ['zed', 'zed://agent?prompt=x'],
    ['zed', 'zed://ssh/root:secret@host/root'],
    ['zed', 'zed://ssh/-oProxyCommand=x/root'],
    ['zed', 'zed://ssh/host'],
    ['gateway', 'jetbrains-gateway://connect#type=coder&url=https://attacker.example'],
    [
      'gateway',
      'jetbrains-gateway://connect#type=ssh&deploy=false&host=h&port=22&user=root&projectPath=%2Fx&idePath=%2Fevil',
    ],
    [
      'gateway',
      'jetbrains-gateway://connect#type=ssh&deploy=false&host=h&port=22&user=root&projectPath=%2F..%2Fx',
    ],
  ] as const)('may not be opened, in %s: %s', (to, link) => {
    expect(isEditorLink(to, link)).toBe(false)
  })
})
