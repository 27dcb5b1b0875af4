import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { SafeShell } from '../../../src-main/desktop/safe-shell.ts'
import { memoryLog } from '../../support/memory-log.ts'

function recorder() {
  const opened: string[] = []
  const log = memoryLog()
  const shell = new SafeShell(async (url) => void opened.push(url), log)
  return { shell, opened, log }
}

describe('security: links to other programs', () => {
  it('opens an https link', async () => {
    const { shell, opened } = recorder()
    expect(await shell.openLink('https://example.com/docs?x=1#y')).toBe('opened')
    expect(opened).toEqual(['https://example.com/docs?x=1#y'])
  })

  it.each([
    'http://example.com/',
    'file:///etc/passwd',
    'javascript:alert(1)',
    'data:text/html,x',
    'mailto:someone@example.com',
    'ssh://example.com',
    'smb://example.com/share',
    'ms-msdt:/id',
    'app://slipway/index.html',
    'https://user:secret@example.com/',
    'https://example.com@attacker.example/',
    '//example.com',
    'example.com',
    '',
    `https://example.com/${'x'.repeat(3000)}`,
  ])('refuses %s', async (url) => {
    const { shell, opened } = recorder()
    expect(await shell.openLink(url)).toBe('refused')
    expect(opened).toEqual([])
  })

  it('hands on nothing but https, whatever it is given', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(fc.webUrl(), fc.string(), fc.constant('https:\\\\example.com')),
        async (url) => {
          const { shell, opened } = recorder()
          await shell.openLink(url)
          for (const link of opened) expect(new URL(link).protocol).toBe('https:')
        },
      ),
    )
  })

  it('logs where a link went, without its path', async () => {
    const { shell, log } = recorder()
    await shell.openLink('https://example.com/reset?token=canary')
    await shell.openLink('file:///home/canary')
    expect(log.lines.join('\n')).toContain('https://example.com')
    expect(log.lines.join('\n')).not.toContain('canary')
  })

  it('says so when the system has no browser', async () => {
    const log = memoryLog()
    const shell = new SafeShell(() => Promise.reject(new Error('no browser')), log)
    expect(await shell.openLink('https://example.com/')).toBe('failed')
    expect(log.lines).toEqual(['Could not open a link to https://example.com: Error: no browser'])
  })
})

describe('security: ports of rented machines', () => {
  it.each(['http://203.0.113.7:40022/', 'https://203.0.113.7:443/', 'https://[2001:db8::1]:40022/'])(
    'opens %s as it is',
    async (url) => {
      const { shell, opened } = recorder()
      expect(await shell.openPort(url)).toBe('opened')
      expect(opened).toEqual([url])
    },
  )

  it('opens a path that was forwarded to this computer, which no log learns', async () => {
    const log = memoryLog()
    const opened: string[] = []
    const shell = new SafeShell(async (url) => void opened.push(url), log)
    const url = 'http://127.16.0.7:8888/lab/canary-1.2_3'
    expect(await shell.openPort(url)).toBe('opened')
    expect(opened).toEqual([url])
    expect(log.lines).toEqual(['Opened the port http://127.16.0.7:8888'])
  })

  it.each([
    'http://203.0.113.7:8888/?token=a',
    'http://127.0.0.1.example:8888/lab/',
    'http://127.1:8888/lab/',
    'http://127.999.0.1:8888/lab/',
    'http://127.0.0.1:88888/lab/',
    'http://127.0.0.1:8888/lab/?token=a',
    'http://127.0.0.1:8888/?token=a&other=b',
    'http://127.0.0.1:8888/?next=//elsewhere',
    'http://127.0.0.1:8888/../x?token=a',
    'http://127.0.0.1:8888//elsewhere/?token=a',
    'http://127.0.0.1:8888/?token=a#b',
    'http://203.0.113.7:40022/path',
    'http://203.0.113.7:40022/?q',
    'http://user@203.0.113.7:40022/',
    'http://203.0.113.7:40022',
    'ftp://203.0.113.7:40022/',
    'file:///etc/passwd',
    'javascript:alert(1)',
    'vscode://vscode-remote/ssh-remote+host/root',
  ])('refuses %s', async (url) => {
    const { shell, opened } = recorder()
    expect(await shell.openPort(url)).toBe('refused')
    expect(opened).toEqual([])
  })
})

describe('security: http addresses that the user agreed to', () => {
  it('opens them, with their path', async () => {
    const { shell, opened } = recorder()
    expect(await shell.openPlainLink('http://127.0.0.1:8888/lab?token=a')).toBe('opened')
    expect(opened).toEqual(['http://127.0.0.1:8888/lab?token=a'])
  })

  it.each(['https://example.com/', 'http://user@example.com/', 'file:///etc/passwd', 'ftp://example.com/'])(
    'refuses %s',
    async (url) => {
      const { shell, opened } = recorder()
      expect(await shell.openPlainLink(url)).toBe('refused')
      expect(opened).toEqual([])
    },
  )
})

describe('security: editors', () => {
  it('opens a machine over SSH, and nothing else that an editor can', async () => {
    const { shell, opened } = recorder()
    const link = 'vscode://vscode-remote/ssh-remote+root@203.0.113.7:40022/root'
    expect(await shell.openEditor('vscode', link)).toBe('opened')
    expect(await shell.openEditor('vscode', 'vscode://file/etc/passwd')).toBe('refused')
    expect(await shell.openEditor('vscode', 'https://example.com/')).toBe('refused')
    expect(opened).toEqual([link])
  })

  it('is not opened by a link on a page', async () => {
    const { shell, opened } = recorder()
    await shell.openLink('vscode://vscode-remote/ssh-remote+root@203.0.113.7:40022/root')
    await shell.openLink('http://203.0.113.7:40022/')
    expect(opened).toEqual([])
  })
})
