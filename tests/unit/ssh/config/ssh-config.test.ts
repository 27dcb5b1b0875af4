import { lstat, mkdir, mkdtemp, readFile, readlink, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { AccountState } from '#domain/accounts/account.ts'
import type { InstanceRecord, InstancesSnapshot } from '#domain/instances/instance.ts'
import { Latest } from '#domain/base/latest.ts'
import { preferences } from '#domain/settings/settings.ts'
import type { SshAddresses } from '#domain/ssh/ssh-address.ts'
import type { SshChoice } from '#domain/ssh/ssh-choice.ts'
import { SshConfig } from '#services/ssh/config/ssh-config.ts'
import { memoryLog } from '../../../support/memory-log.ts'
import { expectMode } from '../../../support/file-mode.ts'

const machine = { id: 7, ssh_host: 'ssh4.example.com', ssh_port: 31_022 }
const theirs = 'Host *\n  ForwardAgent no\n'

function snapshotOf(records: readonly InstanceRecord[] | null): InstancesSnapshot {
  const instances =
    records?.map((record) => ({ id: record.id, status: 'running', record, history: [], pending: null })) ??
    null
  return { instances, unreadable: [], fetchedAt: 0, problem: null, nextPollAt: null, notices: [] }
}

const account: AccountState = {
  kind: 'connected',
  keyId: 'a',
  userId: 1,
  serviceAddress: 'https://service.example',
  keyMask: '',
  keyKeptIn: 'keychain',
  bearer: 'api-key',
  user: null,
  checkedAt: null,
  problem: null,
}

/** A home folder with the user's file in it, unless it is `null`. */
async function home(userText: string | null = theirs) {
  const folder = await mkdtemp(join(tmpdir(), 'slipway-ssh-config-'))
  const end = new AbortController()
  onTestFinished(async () => {
    end.abort()
    await rm(folder, { recursive: true, force: true })
  })
  const userFile = join(folder, '.ssh', 'config')
  const ownFile = join(folder, 'data', 'ssh_config')
  if (userText !== null) {
    await mkdir(join(folder, '.ssh'))
    await writeFile(userFile, userText, { mode: 0o644 })
  }
  const elsewhere = new Set<number>()
  const world = {
    snapshot: new Latest(snapshotOf([machine])),
    account: new Latest<AccountState>(account),
    preferences: new Latest(preferences.parse({})),
    choices: new Latest<ReadonlyMap<number, SshChoice>>(new Map()),
    reached: new Latest(0),
    addressOf: (_: number, { proxy }: SshAddresses) => proxy,
    isNamedElsewhere: (id: number) => elsewhere.has(id),
  }
  const config = new SshConfig({
    userFile,
    ownFile,
    knownHostsFile: join(folder, 'known_hosts'),
    log: memoryLog(),
    ...world,
  })
  void config.follow(end.signal)
  const text = (path: string) => readFile(path, 'utf8').catch(() => null)
  return { ...world, elsewhere, config, folder, userFile, ownFile, text }
}

describe('without consent', () => {
  test('nothing is written, whatever is rented', async () => {
    const { config, userFile, ownFile, text } = await home()
    await expect.poll(() => config.state.value.included).toBe(false)
    expect(await text(userFile)).toBe(theirs)
    expect(await text(ownFile)).toBeNull()
    expect(config.aliasOf(7)).toBeNull()
  })
})

describe('with consent', () => {
  test('the user’s file gets the line and keeps everything else, its mode too', async () => {
    const { config, userFile, ownFile, text } = await home()
    await config.setIncluded(true)
    expect((await text(userFile))?.endsWith(`Include "${ownFile}"\n\n${theirs}`)).toBe(true)
    await expectMode(userFile, 0o644)
    await expectMode(ownFile, 0o600)
    expect(config.aliasOf(7)).toBe('slipway-7')
    await config.setIncluded(true)
    expect((await text(userFile))?.match(/Include/g)).toHaveLength(1)
  })

  test('a user without a file gets one that only they can read', async () => {
    const { config, userFile } = await home(null)
    await config.setIncluded(true)
    await expectMode(userFile, 0o600)
    await config.setIncluded(false)
    expect(await readFile(userFile, 'utf8')).toBe('')
  })

  test('entries follow the machines: a new address, a new user, an end', async () => {
    const { config, snapshot, preferences: prefs, ownFile, text } = await home()
    await config.setIncluded(true)
    expect(await text(ownFile)).toContain('HostName ssh4.example.com')
    snapshot.set(snapshotOf([{ ...machine, ssh_host: 'ssh5.example.com' }]))
    await expect.poll(() => text(ownFile)).toContain('HostName ssh5.example.com')
    prefs.set({ ...prefs.value, sshUser: 'kim' })
    await expect.poll(() => text(ownFile)).toContain('User kim')
    snapshot.set(snapshotOf([]))
    await expect.poll(() => text(ownFile)).not.toContain('slipway-7')
    expect(config.aliasOf(7)).toBeNull()
  })

  test('before the service has said what there is, the entries of the last run stay', async () => {
    const { config, snapshot, ownFile, text } = await home()
    await config.setIncluded(true)
    snapshot.set(snapshotOf(null))
    await config.setIncluded(true)
    expect(await text(ownFile)).toContain('slipway-7')
  })

  test('an account that is left takes its entries along', async () => {
    const { config, account: state, ownFile, text } = await home()
    await config.setIncluded(true)
    state.set({ kind: 'none' })
    await expect.poll(() => text(ownFile)).not.toContain('slipway-7')
  })

  test('taking it back leaves the user’s file as it was, and no other', async () => {
    const { config, userFile, ownFile, text } = await home()
    await config.setIncluded(true)
    await config.setIncluded(false)
    expect(await text(userFile)).toBe(theirs)
    expect(await text(ownFile)).toBeNull()
  })

  test('a line that the user took out is not put back', async () => {
    const { config, snapshot, userFile, text } = await home()
    await config.setIncluded(true)
    await writeFile(userFile, theirs)
    snapshot.set(snapshotOf([machine, { ...machine, id: 8 }]))
    await expect.poll(() => config.state.value.included).toBe(false)
    expect(await text(userFile)).toBe(theirs)
  })
})

// Windows has its own separators in links, and hardly anybody links this file there.
describe.skipIf(process.platform === 'win32')('a file that is a link', () => {
  test('stays one, and what it points to is changed', async () => {
    const { config, folder, userFile } = await home(null)
    await mkdir(join(folder, '.ssh'))
    await mkdir(join(folder, 'dotfiles'))
    const target = join(folder, 'dotfiles', 'ssh-config')
    await writeFile(target, theirs)
    await symlink('../dotfiles/ssh-config', userFile)
    await config.setIncluded(true)
    expect((await lstat(userFile)).isSymbolicLink()).toBe(true)
    expect(await readlink(userFile)).toBe('../dotfiles/ssh-config')
    expect(await readFile(target, 'utf8')).toContain('Include')
  })

  test('to nothing is refused, and said', async () => {
    const { config, folder, userFile } = await home(null)
    await mkdir(join(folder, '.ssh'))
    await symlink('../nowhere', userFile)
    await expect(config.setIncluded(true)).rejects.toMatchObject({ problem: { kind: 'storage-failed' } })
    expect((await lstat(userFile)).isSymbolicLink()).toBe(true)
  })
})

test('a line that was rewritten by hand is left to its owner', async () => {
  const { config, userFile, ownFile, text } = await home()
  const rewritten = `Include other "${ownFile}"\n`
  await writeFile(userFile, rewritten)
  await expect(config.setIncluded(false)).rejects.toMatchObject({ problem: { kind: 'storage-failed' } })
  expect(await text(userFile)).toBe(rewritten)
})
