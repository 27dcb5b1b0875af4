import { describe, expect, test } from 'vitest'
import { HostKeyChanged } from '#services/ssh/failure.ts'
import { prepareHostKeyCheck, type AskHostKey } from '#services/ssh/known-hosts/host-key-check.ts'
import { makeEd25519KeyPair } from '#services/ssh/keys/key-pair.ts'
import type { KnownHostsFile } from '#services/ssh/known-hosts/known-hosts-file.ts'
import { knownHostsLine, parseKnownHosts } from '#services/ssh/known-hosts/known-hosts.ts'
import { fingerprintOf } from '#services/ssh/protocol/public-key.ts'

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
    remove: () => Promise.reject(new Error('not asked for')),
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
    const check = await prepareHostKeyCheck(listOf(), address, { ask: nobodyAsks })
    expect(await problemOf(check.verify(Buffer.from('nonsense')))).toMatchObject({ kind: 'not-ssh' })
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
