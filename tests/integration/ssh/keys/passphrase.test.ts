import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import type { ConnectionState } from '#domain/ssh/ssh-connection.ts'
import { IdentityFiles } from '#services/ssh/keys/identity-files.ts'
import { createConnections } from '#services/ssh/connection/connections.ts'
import { makeEd25519KeyPair } from '#services/ssh/keys/key-pair.ts'
import { LockedKeys } from '#services/ssh/keys/locked-keys.ts'
import { systemClock } from '../../../../src-main/app/system-clock.ts'
import { memoryLog } from '../../../support/memory-log.ts'
import { startSshd, user } from '../sshd.ts'

const right = 'correct horse battery'
let folder: string
let path: string
let publicLine: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'slipway-passphrase-'))
  path = await keygen('id', '-t', 'ed25519')
  publicLine = await readFile(`${path}.pub`, 'utf8')
  return () => rm(folder, { recursive: true })
})

async function keygen(name: string, ...options: string[]): Promise<string> {
  const file = join(folder, name)
  await promisify(execFile)('ssh-keygen', ['-q', '-f', file, '-N', right, ...options])
  return file
}

/** Connections to machines that know the key, logged in to with identity files alone. */
async function openConnections({
  paths = [path],
  config = [],
  kept = new Map<string, string>(),
  authorizedKeys = [publicLine],
}: {
  readonly paths?: readonly string[]
  readonly config?: readonly string[]
  readonly kept?: Map<string, string>
  readonly authorizedKeys?: readonly string[]
} = {}) {
  const sshd = await startSshd({ authorizedKeys, config })
  const end = new AbortController()
  onTestFinished(() => end.abort(new Error('the test is over')))
  const log = memoryLog()
  const seen: string[] = []
  const passphrases = {
    get paths() {
      return [...kept.keys()]
    },
    read: (file: string) => Promise.resolve(kept.get(file) ?? null),
    keep: (file: string, passphrase: string) => Promise.resolve(void kept.set(file, passphrase)),
    forget: (file: string) => Promise.resolve(void kept.delete(file)),
  }
  const lockedKeys = new LockedKeys({ store: passphrases, log, remember: (secret) => seen.push(secret) })
  const files = new IdentityFiles({
    paths: () => paths,
    setPaths: () => Promise.resolve(),
    lockedKeys,
    passphrases,
  })
  const connections = createConnections({
    findTarget: () => Promise.resolve({ kind: 'address', address: sshd.address }),
    user: () => user,
    identities: async () => ({ ...(await files.identities()), agentSocket: null }),
    knownHostsFile: join(await mkdtemp(join(folder, 'known-')), 'known_hosts'),
    clock: systemClock,
    random: () => 0.5,
    log,
  })
  async function until<K extends ConnectionState['kind']>(
    kind: K,
    id = 1,
    fits: (state: Extract<ConnectionState, { kind: K }>) => boolean = () => true,
  ): Promise<Extract<ConnectionState, { kind: K }>> {
    for await (const state of connections.state(id).watch(end.signal))
      if (isOf(state, kind) && fits(state)) return state
    throw new Error(`never ${kind}`)
  }
  async function trust(id = 1): Promise<void> {
    const { offered } = await until('unknown-host', id)
    connections.answerHostKey(id, true, offered.fingerprint)
  }
  const answer = (passphrase: string, remember = false, id = 1): void =>
    connections.answerPassphrase(id, path, { passphrase, remember })
  return { sshd, connections, files, until, trust, answer, kept, seen, log, signal: end.signal }
}

function isOf<K extends ConnectionState['kind']>(
  state: ConnectionState,
  kind: K,
): state is Extract<ConnectionState, { kind: K }> {
  return state.kind === kind
}

describe('a key with a passphrase', () => {
  test('is asked for, says when it was wrong, and is open for the rest of the run', async () => {
    const { connections, files, until, trust, answer, seen, kept, signal } = await openConnections()
    const first = connections.acquire(1, signal)
    await trust()
    expect((await until('passphrase')).key).toMatchObject({
      path,
      fingerprint: expect.stringMatching(/^SHA256:/) as string,
      attempt: 1,
      trouble: null,
    })
    expect(() => connections.answerPassphrase(1, '/other', { passphrase: right, remember: false })).toThrow(
      'invalid-input',
    )
    answer('wrong')
    expect((await until('passphrase', 1, ({ key }) => key.attempt === 2)).key.trouble).toBe('wrong')
    answer(right)
    ;(await first).release()
    expect(kept.size).toBe(0)
    expect(seen).toEqual(['wrong', right])
    expect(await files.states()).toEqual([{ path, state: { kind: 'locked', passphrase: 'given' } }])
    ;(await connections.acquire(1, signal)).release() // without a question
  })

  test('is remembered on request; one that does not fit any more is told', async () => {
    const kept = new Map<string, string>()
    const first = await openConnections({ kept })
    const one = first.connections.acquire(1, first.signal)
    await first.trust()
    await first.until('passphrase')
    first.answer(right, true)
    ;(await one).release()
    expect(kept.get(path)).toBe(right)

    const again = await openConnections({ kept })
    const two = again.connections.acquire(1, again.signal)
    await again.trust()
    ;(await two).release() // without a question
    expect(await again.files.states()).toEqual([{ path, state: { kind: 'locked', passphrase: 'kept' } }])

    kept.set(path, 'of a former key')
    const stale = await openConnections({ kept })
    void stale.connections.acquire(1, stale.signal).catch(() => undefined)
    await stale.trust()
    expect((await stale.until('passphrase')).key.trouble).toBe('kept-is-wrong')
  })

  test('that is not given is named when the login fails', async () => {
    const { connections, until, trust, signal } = await openConnections()
    const asked = connections.acquire(1, signal)
    await trust()
    await until('passphrase')
    connections.answerPassphrase(1, path, null)
    await expect(asked).rejects.toMatchObject({
      failure: {
        problem: {
          kind: 'authentication-failed',
          tried: [],
          skipped: [{ name: path, why: { code: 'locked' } }],
        },
      },
    })
  })

  test('that the machine does not know is not asked for', async () => {
    const stranger = makeEd25519KeyPair('stranger').publicKey.line
    const { connections, trust, signal } = await openConnections({ authorizedKeys: [stranger] })
    const asked = connections.acquire(1, signal)
    await trust()
    await expect(asked).rejects.toMatchObject({
      failure: { problem: { kind: 'authentication-failed', tried: [path], skipped: [] } },
    })
  })

  test('opened for one machine is open for all that ask at the same time', async () => {
    const { connections, until, trust, answer, signal } = await openConnections()
    const one = connections.acquire(1, signal)
    await trust(1)
    await until('passphrase', 1)
    const other = connections.acquire(2, signal)
    await until('passphrase', 2)
    answer(right, false, 2)
    for (const share of await Promise.all([one, other])) share.release()
  })

  test('may take longer than the machine waits for a login', async () => {
    const { connections, until, trust, answer, signal } = await openConnections({
      config: ['LoginGraceTime 5'],
    })
    const asked = connections.acquire(1, signal)
    await trust()
    await until('passphrase')
    await systemClock.sleep(7_000)
    answer(right)
    ;(await asked).release()
  })

  test('is not asked for any more once the connection is not wanted', async () => {
    const { connections, until, trust, signal } = await openConnections()
    const asked = connections.acquire(1, signal)
    await trust()
    await until('passphrase')
    connections.stopTrying(1)
    await expect(asked).rejects.toMatchObject({ failure: { problem: { kind: 'stopped' } } })
    await until('failed')
    expect(() => connections.answerPassphrase(1, path, null)).toThrow('invalid-input')
  })

  test.each([
    ['rsa', []],
    ['ecdsa', []],
    ['rsa', ['-m', 'PEM']],
    ['ecdsa', ['-m', 'PKCS8']],
  ])('logs in as %s %j, after a key that is refused', async (type, form) => {
    const file = await keygen(`${type}${form.join('')}`, '-t', type, ...form)
    const refused = await keygen(`refused-${type}${form.join('')}`, '-t', 'ed25519')
    const { connections, until, trust, signal } = await openConnections({
      paths: [refused, join(folder, 'missing'), file],
      authorizedKeys: [await readFile(`${file}.pub`, 'utf8')],
    })
    const asked = connections.acquire(1, signal)
    await trust()
    expect((await until('passphrase')).key.path).toBe(file)
    connections.answerPassphrase(1, file, { passphrase: right, remember: false })
    ;(await asked).release()
  })
})
