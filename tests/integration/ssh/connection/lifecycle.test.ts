import { readFile } from 'node:fs/promises'
import { describe, expect, test } from 'vitest'
import { makeEd25519KeyPair } from '#services/ssh/keys/key-pair.ts'
import { openTerminal } from '../machine.ts'
import { startProxy } from '../proxy.ts'
import { startSshd, user } from '../sshd.ts'
import { waitFor } from '../../../support/wait-for.ts'

const { privateKey, publicKey } = makeEd25519KeyPair('test')
const identities = { keys: [{ name: 'test key', privateKey }], agentSocket: null, skipped: [] }

/** A terminal of its own server, with everything that it leaves behind in sight. */
async function openWatched() {
  const sshd = await startSshd({ authorizedKeys: [publicKey.line] })
  const proxy = await startProxy(sshd.address)
  const terminal = await openTerminal({ address: proxy.address, identities, user })
  const expectNothingLeft = (): Promise<void> =>
    waitFor(async () => {
      expect(proxy.open()).toBe(0)
      // The server itself.
      expect(await sshd.countProcesses()).toBe(1)
    })
  return { sshd, proxy, terminal, expectNothingLeft }
}

async function openShell() {
  const watched = await openWatched()
  await watched.terminal.trust()
  await watched.terminal.until('open')
  return watched
}

describe('reconnecting', () => {
  test('many times at once leaves one connection, which works', async () => {
    const { sshd, proxy, terminal, expectNothingLeft } = await openShell()
    // Its shell is there when it answers, and not while it still begins.
    terminal.type('echo it-is-$((40 + 1))\n')
    await waitFor(() => expect(terminal.text()).toContain('it-is-41'))
    const processesOfOne = await sshd.countProcesses()
    for (let count = 0; count < 50; count += 1) terminal.reconnect()
    await waitFor(
      async () => {
        expect(proxy.open()).toBe(1)
        expect(await sshd.countProcesses()).toBe(processesOfOne)
        terminal.type('echo it-is-$((40 + 2))\n')
        expect(terminal.text()).toContain('it-is-42')
      },
      { intervalMs: 200 },
    )
    void terminal.close()
    await expectNothingLeft()
  })

  test('again and again while it connects leaves one connection, which works', async () => {
    const { proxy, terminal, expectNothingLeft } = await openShell()
    // At every stage: before the connection, in the handshake, in the login, while the shell is opened.
    for (let pauseMs = 0; pauseMs < 120; pauseMs += 5) {
      terminal.reconnect()
      await new Promise((resolve) => setTimeout(resolve, pauseMs))
    }
    await waitFor(
      () => {
        expect(proxy.open()).toBe(1)
        terminal.type('echo it-is-$((40 + 2))\n')
        expect(terminal.text()).toContain('it-is-42')
      },
      { intervalMs: 200 },
    )
    void terminal.close()
    await expectNothingLeft()
  })

  test('to a machine whose key has changed since is refused', async () => {
    const { sshd, terminal } = await openShell()
    await sshd.machine.replaceHostKey()
    expect(await terminal.until('host-key-changed')).toMatchObject({ revoked: false, trusted: [{ line: 1 }] })
    await terminal.forget()
    await terminal.trust()
    await terminal.until('open')
  })
})

describe('closing', () => {
  test('while the question about the host is open ends the connection, and trusts nobody', async () => {
    const { terminal, expectNothingLeft } = await openWatched()
    await terminal.until('unknown-host')
    void terminal.close()
    await terminal.closed
    await expectNothingLeft()
    await expect(readFile(terminal.knownHostsFile)).rejects.toThrow('ENOENT')
  })

  test.each([0, 1, 5, 20, 50, 100])('%i ms into connecting leaves nothing', async (pauseMs) => {
    const { terminal, expectNothingLeft } = await openShell()
    terminal.reconnect()
    await new Promise((resolve) => setTimeout(resolve, pauseMs))
    void terminal.close()
    await expectNothingLeft()
  })

  test('all terminals ends their shells, and what runs in them', async () => {
    const { sshd, terminal, expectNothingLeft } = await openShell()
    terminal.type('yes\n')
    await waitFor(() => expect(terminal.text()).toContain('y\r\ny\r\n'))
    expect(await sshd.countProcesses()).toBeGreaterThan(2)
    await terminal.dispose()
    await terminal.closed
    await expectNothingLeft()
  })
})
