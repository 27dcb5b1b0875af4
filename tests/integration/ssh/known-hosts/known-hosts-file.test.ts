import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { makeEd25519KeyPair } from '#services/ssh/keys/key-pair.ts'
import { openKnownHosts } from '#services/ssh/known-hosts/known-hosts-file.ts'
import { judgeHostKey } from '#services/ssh/known-hosts/known-hosts.ts'
import { hashHostName } from '../../../support/hash-host-name.ts'

const address = { host: 'gpu.example.com', port: 40_022 }
const neighbor = { host: 'cpu.example.com', port: 40_022 }
const [, key = ''] = makeEd25519KeyPair('one').publicKey.line.split(' ')

test.each([
  ['its own line', '[gpu.example.com]:40022', null],
  ['its hashed line', hashHostName('[gpu.example.com]:40022'), null],
  [
    'a pattern',
    '[*.example.com]:40022,[bastion.corp]:2222',
    '[*.example.com]:40022,[bastion.corp]:2222,![gpu.example.com]:40022',
  ],
  ['several names', 'a,[gpu.example.com]:40022', 'a,[gpu.example.com]:40022,![gpu.example.com]:40022'],
  ['a line of other hosts', '[cpu.example.com]:40022,b', '[cpu.example.com]:40022,b'],
])('what is removed for an address of %s stays for other hosts', async (_, hosts, left) => {
  const folder = await mkdtemp(join(tmpdir(), 'slipway-known-hosts-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const path = join(folder, 'known_hosts')
  await writeFile(path, `# mine\n${hosts} ssh-ed25519 ${key} me@desk\n`)
  const file = openKnownHosts(path)
  const stranger = Buffer.from('another key')
  const before = judgeHostKey(await file.read(), neighbor, stranger).kind
  await file.remove(await file.read(), address)
  const line = left === null ? '' : `${left} ssh-ed25519 ${key} me@desk\n`
  expect(await readFile(path, 'utf8')).toBe(`# mine\n${line}`)
  expect(judgeHostKey(await file.read(), address, stranger).kind).toBe('unknown')
  expect(judgeHostKey(await file.read(), neighbor, stranger).kind).toBe(before)
})
