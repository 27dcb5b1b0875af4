import { execFileSync } from 'node:child_process'
import { generateKeyPairSync } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test, vi } from 'vitest'
import ssh2 from 'ssh2'
import { readIdentityFile, requireUsableIdentityFile } from '#services/ssh/keys/identity-file.ts'
import { firstKey, readPrivateKey } from '#services/ssh/keys/private-key.ts'
import { fingerprintOf, parsePublicKey } from '#services/ssh/protocol/public-key.ts'
import { unlock } from '#services/ssh/keys/unlock.ts'

const folder = mkdtempSync(join(tmpdir(), 'slipway-identity-'))
afterAll(() => rmSync(folder, { recursive: true }))

/** A key as users have them: made by ssh-keygen. */
function keygen(name: string, ...options: string[]): string {
  const file = join(folder, name)
  execFileSync('ssh-keygen', ['-q', '-f', file, '-C', name, ...options])
  return file
}

/** The fingerprint of the private key that ssh2 would use. */
function fingerprintOfPrivate(text: string): string {
  const key = firstKey(ssh2.utils.parseKey(text))
  if (key instanceof Error) throw key
  expect(key.isPrivateKey()).toBe(true)
  return fingerprintOf(key.getPublicSSH())
}

function fingerprintOfPublicFile(file: string): string | undefined {
  return parsePublicKey(readFileSync(`${file}.pub`, 'utf8'))?.fingerprint
}

const forms = [
  ['ed25519', ['-t', 'ed25519']],
  ['ed25519-gcm', ['-t', 'ed25519', '-Z', 'aes256-gcm@openssh.com']],
  ['rsa', ['-t', 'rsa', '-b', '2048']],
  ['rsa-pem', ['-t', 'rsa', '-b', '2048', '-m', 'PEM']],
  ['ecdsa', ['-t', 'ecdsa']],
  ['ecdsa-pem', ['-t', 'ecdsa', '-m', 'PEM']],
  ['rsa-pkcs8', ['-t', 'rsa', '-b', '2048', '-m', 'PKCS8']],
  ['ecdsa-pkcs8', ['-t', 'ecdsa', '-b', '521', '-m', 'PKCS8']],
] as const

describe.each(forms)('a private key that ssh-keygen made as %s', (name, options) => {
  test('can be used', async () => {
    const file = keygen(name, ...options, '-N', '')
    const identity = await readIdentityFile(file)
    expect(identity.kind).toBe('open')
    if (identity.kind === 'open')
      expect(fingerprintOfPrivate(identity.privateKey)).toBe(fingerprintOfPublicFile(file))
  })

  test('is opened by its passphrase, and by no other', async () => {
    const file = keygen(`locked-${name}`, ...options, '-N', 'correct horse')
    const identity = await readIdentityFile(file)
    expect(identity).toMatchObject({ kind: 'locked' })
    if (identity.kind !== 'locked') return
    if (identity.publicKey !== null)
      expect(fingerprintOf(identity.publicKey)).toBe(fingerprintOfPublicFile(file))
    expect(readPrivateKey(identity.text, 'battery staple').kind).toBe('locked')
    const opened = readPrivateKey(identity.text, 'correct horse')
    expect(opened.kind).toBe('open')
    if (opened.kind === 'open')
      expect(fingerprintOfPrivate(opened.privateKey)).toBe(fingerprintOfPublicFile(file))
  })
})

test('a form of OpenSSH’s tells its public key without the passphrase', async () => {
  const identity = await readIdentityFile(keygen('telling', '-t', 'ed25519', '-N', 'secret'))
  expect(identity).toMatchObject({ publicKey: expect.any(Buffer) as Buffer })
})

test('Ed25519 in PKCS#8 is read, locked or not', () => {
  const { privateKey } = generateKeyPairSync('ed25519')
  const plain = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
  const locked = privateKey
    .export({ type: 'pkcs8', format: 'pem', cipher: 'aes-256-cbc', passphrase: 'secret' })
    .toString()
  const [one, other] = [readPrivateKey(plain), readPrivateKey(locked, 'secret')]
  expect([one.kind, other.kind, readPrivateKey(locked).kind]).toEqual(['open', 'open', 'locked'])
  if (one.kind === 'open' && other.kind === 'open')
    expect(fingerprintOfPrivate(one.privateKey)).toBe(fingerprintOfPrivate(other.privateKey))
})

test('main goes on while a passphrase is tried', async () => {
  const identity = await readIdentityFile(keygen('slow', '-t', 'ed25519', '-a', '24', '-N', 'secret'))
  if (identity.kind !== 'locked') throw new Error('not locked')
  let turns = 0
  const timer = setInterval(() => (turns += 1), 5)
  expect((await unlock(identity.text, 'secret')).kind).toBe('open')
  expect((await unlock(identity.text, 'wrong')).kind).toBe('locked')
  clearInterval(timer)
  // Each of the two takes a second: on the way of main itself there would be no more turns than tries.
  expect(turns).toBeGreaterThan(10)
})

describe('what no login can be tried with says why', () => {
  test('a file that is none', async () => {
    expect(await readIdentityFile(join(folder, 'nothing'))).toMatchObject({ why: { code: 'no-file' } })
    expect(await readIdentityFile(folder)).toMatchObject({ why: { code: 'folder' } })
    expect(await readIdentityFile('/dev/null')).toMatchObject({ why: { code: 'not-a-file' } })
    const long = join(folder, 'long')
    writeFileSync(long, 'x'.repeat(100_000))
    expect(await readIdentityFile(long)).toMatchObject({ why: { code: 'too-long' } })
  })

  test('a public key, and what is no key', async () => {
    const publicFile = `${keygen('public', '-N', '')}.pub`
    expect(await readIdentityFile(publicFile)).toMatchObject({
      why: { code: 'public-key' },
    })
    expect(readPrivateKey('hello')).toMatchObject({ why: { code: 'not-a-key' } })
    expect(readPrivateKey(readFileSync(publicFile, 'utf8').slice(0, 30))).toMatchObject({ kind: 'unusable' })
    const broken = '-----BEGIN OPENSSH PRIVATE KEY-----\nAAAA\n-----END OPENSSH PRIVATE KEY-----'
    expect(readPrivateKey(broken)).toMatchObject({ why: { code: 'malformed' } })
  })

  test('a certificate', async () => {
    const authority = keygen('authority', '-N', '')
    const file = keygen('certified', '-N', '')
    execFileSync('ssh-keygen', ['-q', '-s', authority, '-I', 'me', `${file}.pub`])
    expect(await readIdentityFile(`${file}-cert.pub`)).toMatchObject({
      why: { code: 'certificate' },
    })
  })

  test('a key encrypted with chacha20', async () => {
    const file = keygen('chacha', '-t', 'ed25519', '-Z', 'chacha20-poly1305@openssh.com', '-N', 'secret')
    expect(await readIdentityFile(file)).toMatchObject({
      why: { code: 'cipher', cipher: 'chacha20-poly1305@openssh.com' },
    })
  })

  test('a key on a security key', () => {
    const string = (text: string): Buffer =>
      Buffer.concat([Buffer.from([0, 0, 0, text.length]), Buffer.from(text)])
    const publicKey = string('sk-ssh-ed25519@openssh.com').toString('latin1')
    const none = string('none')
    const bytes = Buffer.concat([
      Buffer.from('openssh-key-v1\0'),
      none,
      none,
      string(''),
      Buffer.from([0, 0, 0, 1]),
      string(publicKey),
    ])
    const text = `-----BEGIN OPENSSH PRIVATE KEY-----\n${bytes.toString('base64')}\n-----END OPENSSH PRIVATE KEY-----`
    expect(readPrivateKey(text)).toMatchObject({ why: { code: 'security-key' } })
  })

  test('a file of a form of PuTTY’s that is too new', () => {
    expect(readPrivateKey('PuTTY-User-Key-File-3: ssh-ed25519\nEncryption: none')).toMatchObject({
      why: { code: 'putty' },
    })
  })
})

test('a file that cannot be used is refused with the reason; one that is or can be opened is not', async () => {
  await expect(requireUsableIdentityFile(join(folder, 'nothing'))).rejects.toMatchObject({
    problem: {
      kind: 'invalid-input',
      field: 'path',
      fault: { code: 'unusable-key', why: { code: 'no-file' } },
    },
  })
  await expect(requireUsableIdentityFile(keygen('usable', '-N', ''))).resolves.toBeUndefined()
  await expect(requireUsableIdentityFile(keygen('lockable', '-N', 'secret'))).resolves.toBeUndefined()
})

test('a path may begin with the home folder', async () => {
  keygen('in-home', '-N', '')
  vi.stubEnv('HOME', folder)
  expect((await readIdentityFile('~/in-home')).kind).toBe('open')
  vi.unstubAllEnvs()
})
