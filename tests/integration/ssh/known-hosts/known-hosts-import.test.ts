import { execFile } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import type { SshAddress } from '#domain/ssh/ssh.ts'
import { makeEd25519KeyPair } from '#services/ssh/keys/key-pair.ts'
import { openKnownHosts } from '#services/ssh/known-hosts/known-hosts-file.ts'
import { createKnownHostsImport } from '#services/ssh/known-hosts/known-hosts-import.ts'
import { openTerminal } from '../machine.ts'
import { startSshd, user } from '../sshd.ts'
import { hashHostName } from '../../../support/hash-host-name.ts'
import { temporaryFolder } from '../../../support/temporary-folder.ts'

const { privateKey, publicKey } = makeEd25519KeyPair('test')
const identities = { keys: [{ name: 'test key', privateKey }], agentSocket: null, skipped: [] }
const otherKey = makeEd25519KeyPair('other').publicKey.line.split(' ').slice(0, 2).join(' ')

/** A user's file in a folder of the test's own, and the way from it into Slipway's. */
async function filesWith(text: string | null, owned = '', addresses: readonly SshAddress[] = []) {
  const folder = await temporaryFolder()
  const userFile = join(folder, 'theirs')
  const ownFile = join(folder, 'known_hosts')
  const accepted: (readonly [number, string])[] = []
  if (text !== null) await writeFile(userFile, text)
  if (owned !== '') await writeFile(ownFile, owned)
  return {
    userFile,
    ownFile,
    accepted,
    ...createKnownHostsImport({
      userFile,
      own: openKnownHosts(ownFile),
      places: () => [{ instanceId: 7, addresses }],
      accept: (id, all) => {
        for (const { fingerprint } of all) accepted.push([id, fingerprint])
        return Promise.resolve()
      },
    }),
  }
}

test('a machine that OpenSSH knows by a hashed name is not asked about once its key is taken over', async () => {
  const { address } = await startSshd({ authorizedKeys: [publicKey.line] })
  const { stdout } = await promisify(execFile)('ssh-keyscan', [
    '-H',
    '-p',
    String(address.port),
    address.host,
  ])
  const { preview, take, ownFile, userFile } = await filesWith(stdout)
  const { keys, digest } = await preview()
  expect(keys.length).toBeGreaterThan(0)
  expect(keys.every(({ hosts, standing }) => hosts === null && standing === 'new')).toBe(true)
  expect(await take(digest)).toEqual({ taken: keys.length })
  expect(await readFile(userFile, 'utf8')).toBe(stdout)
  expect((await preview()).keys.every(({ standing }) => standing === 'there')).toBe(true)
  const terminal = await openTerminal({ address, identities, user, knownHostsFile: ownFile })
  expect((await terminal.until('open', 'unknown-host', 'failed')).kind).toBe('open')
})

test('a key that is revoked in the user’s file is refused once it is taken over', async () => {
  const { address } = await startSshd({ authorizedKeys: [publicKey.line] })
  const { stdout } = await promisify(execFile)('ssh-keyscan', ['-p', String(address.port), address.host])
  const lines = stdout.split('\n').filter((line) => line.startsWith('['))
  const { preview, take, ownFile } = await filesWith(lines.map((line) => `@revoked ${line}\n`).join(''))
  const { keys, digest } = await preview()
  expect(keys[0]).toMatchObject({ marker: 'revoked', hosts: `[${address.host}]:${address.port}` })
  await take(digest)
  const terminal = await openTerminal({ address, identities, user, knownHostsFile: ownFile })
  expect(await terminal.until('unknown-host', 'host-key-changed', 'open')).toMatchObject({
    kind: 'host-key-changed',
    revoked: true,
  })
})

test('a key is trusted for the instance that has its address when it is taken over, and for no later one', async () => {
  const address = { host: 'one.example', port: 40022 }
  const hashed = `${hashHostName('[one.example]:40022')} ${otherKey}\ntwo.example ${otherKey}\n`
  const { preview, take, accepted } = await filesWith(hashed, '', [address, { ...address, port: 1 }])
  const { keys, digest } = await preview()
  await take(digest)
  expect(accepted).toEqual([[7, keys[0]?.fingerprint]])
  const revoked = await filesWith(`@revoked [one.example]:40022 ${otherKey}\n`, '', [address])
  await revoked.take((await revoked.preview()).digest)
  expect(revoked.accepted).toEqual([])
})

test('a key besides the one that Slipway trusts for a host is left out', async () => {
  const trusted = `one.example ${publicKey.line}\n`
  const { preview, take, ownFile } = await filesWith(`*.example,two ${otherKey}\n`, trusted)
  const { keys, digest } = await preview()
  expect(keys).toMatchObject([{ standing: 'differs' }])
  expect(await take(digest)).toEqual({ taken: 0 })
  expect(await readFile(ownFile, 'utf8')).toBe(trusted)
})

test('a key besides one that Slipway trusts under a hashed name, or by a pattern, is left out', async () => {
  const hashed = `${hashHostName('[one.example]:40022')} ${publicKey.line}\n`
  const { preview, take, ownFile } = await filesWith(`[one.example]:40022 ${otherKey}\n`, hashed)
  const { keys, digest } = await preview()
  expect(keys).toMatchObject([{ standing: 'differs' }])
  expect(await take(digest)).toEqual({ taken: 0 })
  expect(await readFile(ownFile, 'utf8')).toBe(hashed)
  const byPattern = await filesWith(`one.example ${otherKey}\n`, `*.example ${publicKey.line}\n`)
  expect((await byPattern.preview()).keys).toMatchObject([{ standing: 'differs' }])
})

test('two hashed names are known to be one where a host of that name is known', async () => {
  const [ours, theirs] = [hashHostName('[one.example]:40022'), hashHostName('[one.example]:40022')]
  const files = await filesWith(`${theirs} ${otherKey}\n`, `${ours} ${publicKey.line}\n`, [
    { host: 'two.example', port: 22 },
    { host: 'one.example', port: 40022 },
  ])
  expect((await files.preview()).keys).toMatchObject([{ hosts: null, standing: 'differs' }])
  // Nobody can read it; it may be anybody's.
  const unknown = await filesWith(`${theirs} ${otherKey}\n`, `${ours} ${publicKey.line}\n`)
  expect((await unknown.preview()).keys).toMatchObject([{ hosts: null, standing: 'new' }])
})

test('what is no key stays out, and what was not shown is not taken', async () => {
  const { preview, take, ownFile, userFile } = await filesWith(`# mine\n\nrubbish\na ${otherKey} comment\n`)
  const { keys, digest } = await preview()
  expect(keys).toMatchObject([{ hosts: 'a', marker: null, standing: 'new' }])
  await writeFile(userFile, `b ${otherKey}\n`)
  await expect(take(digest)).rejects.toMatchObject({ problem: { kind: 'invalid-input' } })
  await expect(readFile(ownFile)).rejects.toThrow('ENOENT')
  expect(await take((await preview()).digest)).toEqual({ taken: 1 })
  expect(await readFile(ownFile, 'utf8')).toBe(`b ${otherKey}\n`)
})

test('taking keys over and forgetting one at the same time lose nothing, whoever opened the file', async () => {
  const many = Array.from({ length: 200 }, (_, index) => `host-${index} ${otherKey}`)
  const owned = [`keep-me ${publicKey.line}`, `forget-me ${publicKey.line}`, `keep-me-too ${publicKey.line}`]
  for (let round = 0; round < 5; round += 1) {
    const { preview, take, ownFile } = await filesWith(`${many.join('\n')}\n`, `${owned.join('\n')}\n`)
    // As the connections of an account do it, beside the settings' import.
    const another = openKnownHosts(ownFile)
    const old = (await another.read()).filter(({ hosts }) => hosts === 'forget-me')
    const { digest } = await preview()
    const line = `new-one ${publicKey.line}`
    await Promise.all([
      take(digest),
      another.remove(old, { host: 'forget-me', port: 22 }),
      another.appendBy(() => [line]),
    ])
    const lines = (await readFile(ownFile, 'utf8')).trimEnd().split('\n')
    expect(lines.toSorted()).toEqual([...many, owned[0], owned[2], line].toSorted())
  }
})

test('without such a file there is nothing to take', async () => {
  expect((await (await filesWith(null)).preview()).keys).toEqual([])
})
