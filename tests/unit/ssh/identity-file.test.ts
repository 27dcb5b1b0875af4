import { execFileSync } from 'node:child_process'
import { generateKeyPairSync } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test, vi } from 'vitest'
import { utils } from 'ssh2'
import {
  parseIdentity,
  readIdentityFile,
  requireUsableIdentityFile,
} from '../../../src-main/ssh/identity-file.ts'

const folder = mkdtempSync(join(tmpdir(), 'slipway-identity-'))
afterAll(() => rmSync(folder, { recursive: true }))

/** A key as users have them: made by ssh-keygen. */
function keygen(name: string, ...options: string[]): string {
  const file = join(folder, name)
  execFileSync('ssh-keygen', ['-q', '-f', file, '-C', name, ...options])
  return file
}

test.each([
  ['ed25519', ['-t', 'ed25519', '-N', '']],
  ['rsa', ['-t', 'rsa', '-b', '2048', '-N', '']],
  ['rsa-pem', ['-t', 'rsa', '-b', '2048', '-m', 'PEM', '-N', '']],
  ['ecdsa', ['-t', 'ecdsa', '-N', '']],
  ['ecdsa-pem', ['-t', 'ecdsa', '-m', 'PEM', '-N', '']],
  ['rsa-pkcs8', ['-t', 'rsa', '-b', '2048', '-m', 'PKCS8', '-N', '']],
  ['ecdsa-pkcs8', ['-t', 'ecdsa', '-m', 'PKCS8', '-N', '']],
])('a private key that ssh-keygen made as %s can be used', async (name, options) => {
  const identity = await readIdentityFile(keygen(name, ...options))
  expect(identity.kind).toBe('usable')
  if (identity.kind === 'usable') expect(utils.parseKey(identity.privateKey)).not.toBeInstanceOf(Error)
})

test.each([
  ['openssh', ['-t', 'ed25519', '-N', 'secret']],
  ['pem', ['-t', 'rsa', '-b', '2048', '-m', 'PEM', '-N', 'secret']],
  ['pkcs8', ['-t', 'rsa', '-b', '2048', '-m', 'PKCS8', '-N', 'secret']],
])('a key with a passphrase says so: %s', async (name, options) => {
  expect(await readIdentityFile(keygen(`locked-${name}`, ...options))).toMatchObject({
    kind: 'unusable',
    why: expect.stringContaining('passphrase'),
  })
})

test('what is no private key says what is wrong', async () => {
  expect(await readIdentityFile(join(folder, 'nothing'))).toMatchObject({ why: 'there is no such file' })
  expect(await readIdentityFile(folder)).toMatchObject({ why: 'it is a folder' })
  const publicFile = `${keygen('public', '-N', '')}.pub`
  expect(await readIdentityFile(publicFile)).toMatchObject({ why: expect.stringContaining('public key') })
  expect(parseIdentity('hello')).toMatchObject({ why: 'it is not a private key' })
  expect(parseIdentity(readFileSync(publicFile, 'utf8').slice(0, 30))).toMatchObject({ kind: 'unusable' })
  const ed25519 = generateKeyPairSync('ed25519')
    .privateKey.export({ type: 'pkcs8', format: 'pem' })
    .toString()
  expect(parseIdentity(ed25519)).toMatchObject({ why: expect.stringContaining('ssh-keygen') })
})

test('a file that cannot be used is refused with the reason; a usable one is not', async () => {
  await expect(requireUsableIdentityFile(join(folder, 'nothing'))).rejects.toMatchObject({
    problem: { kind: 'invalid-input', field: 'path', message: 'there is no such file' },
  })
  await expect(requireUsableIdentityFile(keygen('usable', '-N', ''))).resolves.toBeUndefined()
})

test('a path may begin with the home folder', async () => {
  keygen('in-home', '-N', '')
  vi.stubEnv('HOME', folder)
  expect((await readIdentityFile('~/in-home')).kind).toBe('usable')
  vi.unstubAllEnvs()
})
