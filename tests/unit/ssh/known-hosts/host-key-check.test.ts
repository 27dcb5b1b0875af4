import { describe, expect, test } from 'vitest'
import type { InstanceHostKeysFile } from '#domain/ssh/instance-host-keys.ts'
import type { HostKeyDoubts } from '#domain/ssh/ssh-connection.ts'
import type { SshAddress } from '#domain/ssh/ssh.ts'
import { HostKeyChanged } from '#services/ssh/failure.ts'
import { prepareHostKeyCheck, type AskHostKey } from '#services/ssh/known-hosts/host-key-check.ts'
import { makeEd25519KeyPair } from '#services/ssh/keys/key-pair.ts'
import { HostKeysByInstance } from '#services/ssh/known-hosts/host-keys-by-instance.ts'
import type { KnownHostsFile } from '#services/ssh/known-hosts/known-hosts-file.ts'
import { knownHostsLine, parseKnownHosts } from '#services/ssh/known-hosts/known-hosts.ts'
import { fingerprintOf } from '#services/ssh/protocol/public-key.ts'
import { memoryLog } from '../../../support/memory-log.ts'

const address = { host: 'gpu.example.com', port: 40022 }
const makeKey = (): Buffer =>
  Buffer.from(makeEd25519KeyPair('a').publicKey.line.split(' ')[1] ?? '', 'base64')
const key = makeKey()
const other = makeKey()
const lineOf = (shown: Buffer): string => knownHostsLine(address, 'ssh-ed25519', shown)

/** A list in memory, which the test may edit at any time as a user may edit a file. */
function listOf(...lines: string[]): KnownHostsFile & { readonly lines: string[] } {
  return {
    lines,
    path: 'known_hosts',
    read: () => Promise.resolve(parseKnownHosts(lines.join('\n'))),
    appendBy: (choose) => {
      const added = choose(parseKnownHosts(lines.join('\n')))
      lines.push(...added)
      return Promise.resolve(added)
    },
    remove: (entries) => {
      for (const { line } of entries.toSorted((one, next) => next.line - one.line)) lines.splice(line - 1, 1)
      return Promise.resolve()
    },
  }
}

const nobodyAsks: AskHostKey = () => Promise.reject(new Error('asked'))
const yes: AskHostKey = () => Promise.resolve(true)
const problemOf = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => 'trusted',
    (error: unknown) => (error instanceof Error && 'problem' in error ? error.problem : error),
  )

describe('a host’s key', () => {
  test('that is known is trusted without a question', async () => {
    const check = await prepareHostKeyCheck(listOf(lineOf(key)), address, { ask: nobodyAsks })
    expect(check.knownAlgorithms).toEqual(['ssh-ed25519'])
    await check.verify(key)
  })

  test('that is not known is asked about once, and kept', async () => {
    const list = listOf()
    const asked: unknown[] = []
    const check = await prepareHostKeyCheck(list, address, {
      ask: (offered) => {
        asked.push(offered)
        return Promise.resolve(true)
      },
    })
    await check.verify(key)
    await check.verify(key)
    expect(asked).toEqual([{ algorithm: 'ssh-ed25519', fingerprint: fingerprintOf(key) }])
    expect(list.lines).toEqual([lineOf(key)])
  })

  test('that is declined is not kept', async () => {
    const list = listOf()
    const check = await prepareHostKeyCheck(list, address, { ask: () => Promise.resolve(false) })
    expect(await problemOf(check.verify(key))).toEqual({ kind: 'host-key-refused' })
    expect(list.lines).toEqual([])
  })

  test('other than the known one is refused without a question', async () => {
    const list = listOf(lineOf(other))
    const check = await prepareHostKeyCheck(list, address, { ask: nobodyAsks })
    await expect(check.verify(key)).rejects.toMatchObject({
      offered: { fingerprint: fingerprintOf(key) },
      trusted: [{ fingerprint: fingerprintOf(other), line: 1 }],
      revoked: false,
    })
    expect(list.lines).toEqual([lineOf(other)])
  })

  const elsewhere = { host: 'ssh4.example.com', port: 31_022 }
  const lineThere = (shown: Buffer): string => knownHostsLine(elsewhere, 'ssh-ed25519', shown)
  const hostKey = (shown: Buffer) => ({ algorithm: 'ssh-ed25519', fingerprint: fingerprintOf(shown) })

  /** What an instance is remembered by that was logged in to with these keys at these places. */
  function remembering({ keys = [], at = [], of = {} }: Remembered = {}) {
    let file: InstanceHostKeysFile = {
      ...of,
      7: { keys: keys.map((each) => ({ ...hostKey(each), trustedAt: 1 })), addresses: at, seenAt: 1 },
    }
    const memory = new HostKeysByInstance({
      file: {
        get value() {
          return file
        },
        update: (change) => Promise.resolve(void (file = change(file))),
      },
      whereIs: (id) => (id === 7 ? [address, elsewhere] : 'gone'),
      now: () => 2,
      log: memoryLog(),
    })
    return { memory: memory.of(7), file: () => file[7] }
  }

  interface Remembered {
    readonly keys?: readonly Buffer[]
    readonly at?: readonly SshAddress[]
    readonly of?: InstanceHostKeysFile
  }

  /** Verifies the key; to questions the answer is yes. */
  async function verified(list: KnownHostsFile, remembered?: Remembered) {
    const asked: HostKeyDoubts[] = []
    const { memory, file } = remembering(remembered)
    const alsoAt: SshAddress[] = []
    const ask: AskHostKey = (_, doubts, others) =>
      Promise.resolve(asked.push(doubts) + alsoAt.push(...others) > 0)
    const check = await prepareHostKeyCheck(list, address, { ask, memory })
    await check.verify(key)
    return { asked, alsoAt, check, file, memory }
  }

  describe('of an instance with two addresses', () => {
    test('is accepted without a question where that very instance was logged in to with it at the other', async () => {
      const list = listOf(lineThere(key))
      const { asked, check } = await verified(list, { keys: [key], at: [elsewhere] })
      expect(asked).toEqual([])
      expect(new Set(check.knownAlgorithms)).toEqual(new Set(['ssh-ed25519']))
    })

    test('is written down and remembered once the instance is logged in to, and not before', async () => {
      const list = listOf(lineThere(key))
      const { check, file } = await verified(list, { keys: [key], at: [elsewhere] })
      expect(list.lines).toEqual([lineThere(key)])
      expect(file()?.addresses).toEqual([elsewhere])
      await check.remember()
      expect(list.lines).toEqual([lineThere(key), lineOf(key)])
      expect(file()?.addresses).toEqual([address, elsewhere])
    })

    test('is asked about for the other address, too, where that takes it without a question after the login', async () => {
      const said: boolean[] = []
      for (const list of [listOf(), listOf(lineThere(key)), listOf(lineThere(other))]) {
        const { alsoAt, check, memory } = await verified(list)
        await check.remember()
        const there = await prepareHostKeyCheck(list, elsewhere, { ask: nobodyAsks, memory })
        said.push(alsoAt.length > 0)
        expect((await problemOf(there.verify(key))) === 'trusted').toBe(alsoAt.length > 0)
      }
      expect(said).toEqual([true, true, false])
    })

    test('is asked about where only the list has it at the other address: that line may be another instance’s', async () => {
      expect((await verified(listOf(lineThere(key)))).asked).toEqual([{}])
    })

    test.each([
      ['not known', []],
      ['known', [lineOf(key)]],
    ])(
      'is asked about once with a warning where the other has another one that nobody is known by, which stays; here it is %s',
      async (_, lines) => {
        const list = listOf(lineThere(other), ...lines)
        const { asked, memory } = await verified(list)
        expect(asked).toMatchObject([{ stored: { address: elsewhere, keys: [hostKey(other)] } }])
        expect(list.lines).toEqual([lineThere(other), lineOf(key)])
        // One question is enough, also where the login fails.
        const again = await prepareHostKeyCheck(list, address, { ask: nobodyAsks, memory })
        await again.verify(key)
      },
    )

    test('is an alarm where the address has another one that nobody is known by, though it is the instance’s own', async () => {
      const of = { 7: { keys: [key], at: [elsewhere] }, none: {} }
      for (const remembered of [of.none, of[7]]) {
        const list = listOf(lineOf(other))
        await expect(verified(list, remembered)).rejects.toMatchObject({
          address,
          trusted: [{ fingerprint: fingerprintOf(other), line: 1 }],
          revoked: false,
        })
        expect(list.lines).toEqual([lineOf(other)])
      }
    })

    test('is an alarm where another one was accepted, also before any login; the accepted one stays', async () => {
      const list = listOf()
      const { memory } = remembering()
      const accepted = await prepareHostKeyCheck(list, elsewhere, { ask: yes, memory })
      await accepted.verify(other)
      const check = await prepareHostKeyCheck(list, address, { ask: nobodyAsks, memory })
      await expect(check.verify(key)).rejects.toMatchObject({
        ofInstance: { keys: [hostKey(other)], lastAddress: null },
      })
      expect(list.lines).toEqual([lineThere(other)])
    })

    test('that was accepted at the other, and not logged in to with, is asked about', async () => {
      const list = listOf()
      const { memory } = remembering()
      const accepted = await prepareHostKeyCheck(list, elsewhere, { ask: yes, memory })
      await accepted.verify(key)
      const asked: HostKeyDoubts[] = []
      const ask: AskHostKey = (_, doubts) => Promise.resolve(asked.push(doubts) > 0)
      const check = await prepareHostKeyCheck(list, address, { ask, memory })
      await check.verify(key)
      expect(asked).toEqual([{}])
    })

    test('is an alarm where the instance was logged in to with another one, at whichever address', async () => {
      const mine = [
        listOf(lineOf(other)),
        listOf(lineThere(other)),
        listOf(lineThere(other), lineOf(key)),
        listOf(),
      ]
      for (const list of mine)
        await expect(verified(list, { keys: [other], at: [elsewhere] })).rejects.toMatchObject({
          revoked: false,
          ofInstance: { keys: [hostKey(other)], lastAddress: elsewhere },
        })
      await expect(verified(listOf(lineOf(other)), { at: [address] })).rejects.toBeInstanceOf(HostKeyChanged)
    })

    test('is an alarm after another one, also where the list has it for an address where the instance was: that line may be another account’s', async () => {
      await expect(verified(listOf(lineOf(key)), { keys: [other], at: [address] })).rejects.toMatchObject({
        trusted: [{ fingerprint: fingerprintOf(key), line: 1 }],
        revoked: false,
      })
    })

    test('is asked about once where the list has it for the address, but not as this instance’s: addresses are given again', async () => {
      const list = listOf(lineOf(key))
      const { asked, memory } = await verified(list)
      expect(asked).toEqual([{ listed: { keyOf: null } }])
      expect(list.lines).toEqual([lineOf(key)])
      const again = await prepareHostKeyCheck(list, address, { ask: nobodyAsks, memory })
      await again.verify(key)
    })

    test('is asked about where it’s the key of an instance that had the address before, and says whose it is', async () => {
      const of = { 9: { keys: [{ ...hostKey(key), trustedAt: 1 }], addresses: [address], seenAt: 1 } }
      expect((await verified(listOf(lineOf(key)), { of })).asked).toEqual([{ listed: { keyOf: 9 } }])
    })

    test('that the list has for the address isn’t trusted where the user says no', async () => {
      const { memory, file } = remembering()
      const no: AskHostKey = () => Promise.resolve(false)
      const check = await prepareHostKeyCheck(listOf(lineOf(key)), address, { ask: no, memory })
      expect(await problemOf(check.verify(key))).toEqual({ kind: 'host-key-refused' })
      expect(file()?.accepted ?? []).toEqual([])
    })

    test('that is revoked at the other address is refused before anything else counts', async () => {
      const revoked = `@revoked ${lineThere(key)}`
      for (const list of [listOf(revoked), listOf(revoked, lineOf(key)), listOf(revoked, lineOf(other))])
        for (const keys of [[], [key], [other]])
          await expect(verified(list, { keys, at: [address] })).rejects.toMatchObject({ revoked: true })
    })

    test('of a kind that is only revoked at the other address is not preferred', async () => {
      const { memory } = remembering()
      const list = listOf(`@revoked ${lineThere(other)}`)
      expect((await prepareHostKeyCheck(list, address, { ask: yes, memory })).knownAlgorithms).toEqual([])
    })

    test('other than one which another instance left behind is asked about, and says whose that was', async () => {
      const of = {
        9: { keys: [{ ...hostKey(other), trustedAt: 1 }], addresses: [address, elsewhere], seenAt: 1 },
      }
      const formerly = { instanceId: 9, fate: 'gone' }
      expect((await verified(listOf(lineOf(other)), { of })).asked).toEqual([{ formerly }])
      expect((await verified(listOf(lineThere(other)), { of })).asked).toEqual([{}])
    })
  })

  test('other than at the first exchange of the connection is refused, even if the list knows it', async () => {
    const check = await prepareHostKeyCheck(listOf(lineOf(key), lineOf(other)), address, { ask: nobodyAsks })
    await check.verify(key)
    expect(await problemOf(check.verify(other))).toEqual({ kind: 'host-key-refused' })
  })

  test('that another terminal was told to trust meanwhile is kept once', async () => {
    const list = listOf()
    const check = await prepareHostKeyCheck(list, address, {
      ask: () => {
        list.lines.push(lineOf(key))
        return Promise.resolve(true)
      },
    })
    await check.verify(key)
    expect(list.lines).toEqual([lineOf(key)])
  })

  test('is refused when another terminal was shown another one meanwhile', async () => {
    const list = listOf()
    const check = await prepareHostKeyCheck(list, address, {
      ask: () => {
        list.lines.push(lineOf(other))
        return Promise.resolve(true)
      },
    })
    await expect(check.verify(key)).rejects.toBeInstanceOf(HostKeyChanged)
    expect(list.lines).toEqual([lineOf(other)])
  })

  test('that is revoked says so, and does not count as a kind that is known', async () => {
    const check = await prepareHostKeyCheck(listOf(`@revoked ${lineOf(key)}`), address, { ask: nobodyAsks })
    expect(check.knownAlgorithms).toEqual([])
    await expect(check.verify(key)).rejects.toMatchObject({ revoked: true })
  })

  test('that is no key is refused without a question', async () => {
    let isSeen = false
    const onHostKey = (): void => void (isSeen = true)
    const check = await prepareHostKeyCheck(listOf(), address, { ask: nobodyAsks, onHostKey })
    expect(await problemOf(check.verify(Buffer.from('nonsense')))).toMatchObject({ kind: 'not-ssh' })
    expect(isSeen).toBe(false)
  })

  test('cannot be trusted when the list cannot be read, or not be written', async () => {
    const broken = (): Promise<never> => Promise.reject(new Error('disk full'))
    const unusable = { kind: 'known-hosts-unusable', detail: 'disk full' }
    expect(
      await problemOf(prepareHostKeyCheck({ ...listOf(), read: broken }, address, { ask: yes })),
    ).toEqual(unusable)
    const check = await prepareHostKeyCheck({ ...listOf(), appendBy: broken }, address, { ask: yes })
    expect(await problemOf(check.verify(key))).toEqual(unusable)
  })
})
