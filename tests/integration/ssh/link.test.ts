import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { makeEd25519KeyPair } from '../../../src-main/ssh/key-pair.ts'
import { openTerminal } from './machine.ts'
import { startProxy } from './proxy.ts'
import { startSshd, user } from './sshd.ts'

const { privateKey, publicKey } = makeEd25519KeyPair('test')
const identities = { keys: [{ name: 'test key', privateKey }], agentSocket: null, skipped: [] }

async function openThroughProxy() {
  const { address } = await startSshd({ authorizedKeys: [publicKey.line] })
  const proxy = await startProxy(address)
  const terminal = await openTerminal({ address: proxy.address, identities, user })
  await terminal.trust()
  await terminal.until('open')
  return { proxy, terminal }
}

describe('a link', () => {
  test('that dies without a word is missed after four keepalives', async () => {
    // ssh2 times its keepalives itself.
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    onTestFinished(() => void vi.useRealTimers())
    const { proxy, terminal } = await openThroughProxy()
    proxy.fallSilent()
    vi.advanceTimersByTime(45_000)
    terminal.type('is anybody there?\n')
    vi.advanceTimersByTime(15_000)
    expect(await terminal.until('lost')).toMatchObject({
      problem: { kind: 'link-lost', detail: 'it has not answered for 45 s' },
    })
  })

  test('that alters a byte is given up at once, with whatever is typed then', async () => {
    const { proxy, terminal } = await openThroughProxy()
    proxy.corrupt()
    for (let count = 0; count < 20; count += 1) {
      terminal.type('date\n')
      terminal.resize(80 + count, 24)
      await new Promise((resolve) => setTimeout(resolve, 1))
    }
    expect(await terminal.until('lost')).toMatchObject({ problem: { kind: 'link-lost' } })
  })
})
