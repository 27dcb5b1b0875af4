import { createHash } from 'node:crypto'
import { Client } from 'ssh2'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import type { SshAddress } from '#domain/ssh/ssh.ts'
import { makeEd25519KeyPair } from '#services/ssh/keys/key-pair.ts'
import { FlowControl } from '#services/terminals/flow-control.ts'
import { openTerminal } from '../ssh/machine.ts'
import { sendErrorsForEver, startOddServer } from '../ssh/odd-server.ts'
import { startProxy } from '../ssh/proxy.ts'
import { digestOfFlood, flood, recordingScreen } from '../ssh/screen.ts'
import { startSshd, user } from '../ssh/sshd.ts'
import { waitFor } from '../../support/wait-for.ts'

const { privateKey, publicKey } = makeEd25519KeyPair('test')
const identities = { keys: [{ name: 'test key', privateKey }], agentSocket: null, skipped: [] }
const mib = 1024 * 1024

async function openRecorded(
  options: { config?: readonly string[]; delayMs?: number; screenMs?: number } = {},
) {
  const sshd = await startSshd({ authorizedKeys: [publicKey.line], config: options.config ?? [] })
  const proxy = await startProxy(sshd.address, options.delayMs)
  const screen = recordingScreen(options.screenMs)
  const terminal = await openTerminal({ address: proxy.address, identities, user, take: screen.take })
  await terminal.trust()
  await terminal.until('open')
  return { screen, terminal }
}

test('new keys in the middle of a flood lose nothing, and ask nothing', async () => {
  const emit = vi.spyOn(Client.prototype, 'emit')
  onTestFinished(() => emit.mockRestore())
  const { screen, terminal } = await openRecorded({ config: ['RekeyLimit 1M'], screenMs: 1 })
  expect(await flood(terminal, screen, 16 * mib)).toBe(digestOfFlood(16 * mib))
  const events: readonly (readonly unknown[])[] = emit.mock.calls
  expect(events.filter(([name]) => name === 'handshake').length).toBeGreaterThan(8)
  terminal.type('echo it-is-$((40 + 2))\n')
  await waitFor(() => expect(terminal.text()).toContain('it-is-42'))
})

// OpenSSH answers each piece of it with a message to be ignored, also in the middle of a key exchange.
test('new keys in the middle of a paste that is not echoed lose nothing', async () => {
  const { terminal } = await openRecorded({ config: ['RekeyLimit 16K'] })
  const pasted = Array.from({ length: 2000 }, (_, number) => `this is the line ${number} of it\n`).join('')
  terminal.type('stty -echo; echo ready-$((40 + 2)); head -n 2000 | sha256sum\n')
  await waitFor(() => expect(terminal.text()).toContain('ready-42'))
  terminal.type(pasted)
  const digest = createHash('sha256').update(pasted).digest('hex')
  await waitFor(() => expect(terminal.text()).toContain(digest))
})

test('a distant server is given more credit, and loses nothing', async () => {
  const take = vi.spyOn(FlowControl.prototype, 'take')
  onTestFinished(() => take.mockRestore())
  const { screen, terminal } = await openRecorded({ delayMs: 100 })
  expect(await flood(terminal, screen, 32 * mib)).toBe(digestOfFlood(32 * mib))
  let granted = FlowControl.first
  const outstanding = take.mock.calls.map(([taken], index) => {
    const { value } = take.mock.results[index] ?? {}
    granted += Number(value)
    return granted - taken
  })
  expect(Math.max(...outstanding)).toBeGreaterThan(2 * FlowControl.first)
  expect(screen.mostUntaken()).toBeLessThanOrEqual(4 * mib)
})

describe.each([
  ['protocol is elsewhere', hideProtocol],
  ['channels keep no count of their window', hideWindow],
])('an ssh2 whose %s', (_, hideIt) => {
  test('has its output held back by pausing, and loses nothing', async () => {
    hideIt()
    const { screen, terminal } = await openRecorded({ screenMs: 5 })
    expect(await flood(terminal, screen, 16 * mib)).toBe(digestOfFlood(16 * mib))
    expect(screen.mostUntaken()).toBeGreaterThan(256 * 1024)
    expect(screen.mostUntaken()).toBeLessThanOrEqual(600 * 1024)
  })

  test('stops while the screen takes nothing, and goes on when it does', async () => {
    hideIt()
    const sshd = await startSshd({ authorizedKeys: [publicKey.line] })
    const { terminal, screen } = await openHesitant(sshd.address)
    terminal.type('yes\n')
    await screen.isFull()
    screen.goOn()
    terminal.type('\u0003')
    terminal.type('echo free-$((1 + 1))\n')
    await waitFor(() => expect(terminal.text()).toContain('free-2'))
  })

  test('holds back what comes as errors', async () => {
    hideIt()
    const { address } = await startOddServer({ shell: sendErrorsForEver })
    const { screen } = await openHesitant(address)
    await screen.isFull()
    screen.goOn()
    await waitFor(() => expect(screen.received()).toBeGreaterThan(4 * mib))
  })

  test('takes no harm from what is typed when the link was lost while the screen was behind', async () => {
    hideIt()
    const sshd = await startSshd({ authorizedKeys: [publicKey.line] })
    const { terminal, screen } = await openHesitant(sshd.address)
    terminal.type('yes\n')
    await screen.isFull()
    // Already now: what is told next is how trying again went.
    const lost = terminal.until('reconnecting')
    await sshd.machine.down()
    await new Promise((resolve) => setTimeout(resolve, 100))
    terminal.type('\u0003')
    terminal.resize(100, 40)
    screen.goOn()
    expect(await lost).toMatchObject({ problem: { kind: 'link-lost' } })
  })
})

/** A terminal whose screen takes nothing from its opening on, until it is told to. */
async function openHesitant(address: SshAddress) {
  let received = 0
  let isTaking = true
  let takeAll = (): void => undefined
  const terminal = await openTerminal({
    address,
    identities,
    user,
    take: (piece, taken) => {
      received += piece.length
      takeAll = () => taken(received)
      if (isTaking) takeAll()
    },
  })
  await terminal.trust()
  await terminal.until('open')
  isTaking = false
  const screen = {
    received: () => received,
    /** As much has come as is let through, and then no more. */
    isFull: async (): Promise<void> => {
      await waitFor(() => expect(received).toBeGreaterThan(500 * 1024))
      await new Promise((resolve) => setTimeout(resolve, 300))
      expect(received).toBeLessThanOrEqual(600 * 1024)
    },
    goOn: () => {
      isTaking = true
      takeAll()
    },
  }
  return { terminal, screen }
}

/** From channel-window.ts; ssh2 itself finds it where it was. */
function hideProtocol(): void {
  hide((target, key) => target instanceof Client && key === '_protocol')
}

function hideWindow(): void {
  hide((_, key) => key === 'incoming')
}

/** Only channel-window.ts reads with Reflect. */
function hide(isHidden: (target: object, key: PropertyKey) => boolean): void {
  const get = Reflect.get
  const spy = vi
    .spyOn(Reflect, 'get')
    .mockImplementation((target: object, key: PropertyKey, receiver?: unknown) =>
      isHidden(target, key) ? undefined : (get(target, key, receiver ?? target) as unknown),
    )
  onTestFinished(() => spy.mockRestore())
}
