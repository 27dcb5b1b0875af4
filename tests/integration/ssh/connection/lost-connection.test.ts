import { describe, expect, test } from 'vitest'
import type { Clock } from '#domain/base/clock.ts'
import { makeEd25519KeyPair } from '#services/ssh/keys/key-pair.ts'
import { systemClock } from '../../../../src-main/app/system-clock.ts'
import { openTerminal } from '../machine.ts'
import { startProxy } from '../proxy.ts'
import { startSshd, user } from '../sshd.ts'
import { hastyClock } from '../../../support/hasty-clock.ts'
import { waitFor } from '../../../support/wait-for.ts'

const { privateKey, publicKey } = makeEd25519KeyPair('test')
const identities = { keys: [{ name: 'test key', privateKey }], agentSocket: null, skipped: [] }

async function openThroughProxy(clock: Clock = systemClock) {
  const { address } = await startSshd({ authorizedKeys: [publicKey.line] })
  const proxy = await startProxy(address)
  const terminal = await openTerminal({ address: proxy.address, identities, user, clock })
  await terminal.trust()
  await terminal.until('open')
  return { proxy, terminal }
}

describe('a link', () => {
  test('that dies without a word is missed, and taken up again when it is back', async () => {
    const clock = hastyClock()
    const { proxy, terminal } = await openThroughProxy(clock)
    proxy.fallSilent()
    clock.hurry()
    expect(await terminal.until('reconnecting')).toMatchObject({
      problem: { kind: 'link-lost', detail: { code: 'silent', seconds: 20 } },
    })
    clock.calm()
    proxy.heal()
    await terminal.until('open')
    terminal.type('echo it-is-$((40 + 2))\n')
    await waitFor(() => expect(terminal.text()).toContain('it-is-42'))
  })

  test('that alters a byte is given up at once, with whatever is typed then', async () => {
    const { proxy, terminal } = await openThroughProxy()
    proxy.corrupt()
    for (let count = 0; count < 20; count += 1) {
      terminal.type('date\n')
      terminal.resize(80 + count, 24)
      await new Promise((resolve) => setTimeout(resolve, 1))
    }
    expect(await terminal.until('reconnecting')).toMatchObject({ problem: { kind: 'link-lost' } })
  })
})
