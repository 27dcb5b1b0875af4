import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { Latest } from '#domain/base/latest.ts'
import type { AccountState } from '#domain/accounts/account.ts'
import type { KeychainState } from '#domain/vault/keychain-state.ts'
import { preferences } from '#domain/settings/settings.ts'
import { LoginKeys } from '#services/ssh/keys/login-keys.ts'
import { IdentityFiles } from '#services/ssh/keys/identity-files.ts'
import { createConnections } from '#services/ssh/connection/connections.ts'
import { createHostConfigReader } from '#services/ssh/config/host-config-file.ts'
import { makeEd25519KeyPair } from '#services/ssh/keys/key-pair.ts'
import { LockedKeys } from '#services/ssh/keys/locked-keys.ts'
import { systemClock } from '../../../../src-main/app/system-clock.ts'
import { memoryLog } from '../../../support/memory-log.ts'
import { startAgent } from '../keys/agent.ts'
import { startSshd, user } from '../sshd.ts'
import { temporaryFolder } from '../../../support/temporary-folder.ts'

const mine = makeEd25519KeyPair('mine')
const stranger = makeEd25519KeyPair('stranger')

/** Logs in by a configuration of the test's own to a machine that knows one key. */
async function logInBy(
  config: (folder: string) => string,
  { isWanted = true, agentSocket = null }: { isWanted?: boolean; agentSocket?: string | null } = {},
) {
  const { address } = await startSshd({ authorizedKeys: [mine.publicKey.line] })
  const folder = await mkdtemp(join(tmpdir(), 'slipway-host-config-'))
  const end = new AbortController()
  onTestFinished(async () => {
    end.abort(new Error('the test is over'))
    await rm(folder, { recursive: true })
  })
  const ssh = join(folder, '.ssh')
  await mkdir(join(ssh, 'work'), { recursive: true })
  await writeFile(join(ssh, 'mine'), mine.privateKey, { mode: 0o600 })
  await writeFile(join(ssh, 'mine.pub'), mine.publicKey.line)
  await writeFile(join(ssh, 'config'), 'Include work/*.conf\n')
  await writeFile(join(ssh, 'work', 'a.conf'), config(folder))
  const log = memoryLog()
  const passphrases = {
    paths: [],
    read: () => Promise.resolve(null),
    keep: () => Promise.resolve(),
    forget: () => Promise.resolve(),
  }
  const access = new LoginKeys({
    vaultKey: {
      publicKey: () => null,
      create: () => Promise.resolve(mine.publicKey),
      privateKey: () => Promise.resolve({ kind: 'absent' }),
    },
    files: new IdentityFiles({
      paths: () => [],
      setPaths: () => Promise.resolve(),
      lockedKeys: new LockedKeys({ store: passphrases, log, remember: () => undefined }),
      passphrases,
    }),
    hostPasswords: { kept: [], forget: () => Promise.resolve() },
    preferences: new Latest(preferences.parse({})),
    account: new Latest<AccountState>({ kind: 'none' }),
    keychain: new Latest<KeychainState>({ kind: 'available' }),
    agentSocket,
  })
  const connections = createConnections({
    findTarget: () => Promise.resolve({ kind: 'address', address }),
    user: () => 'nobody-here',
    hostConfig: createHostConfigReader({
      userFile: join(ssh, 'config'),
      ownFile: join(folder, 'own'),
      homeFolder: folder,
      isWanted: () => isWanted,
      user: () => 'nobody-here',
      log,
    }).ofInstance,
    identities: (found) => access.identities(found),
    knownHostsFile: join(folder, 'known_hosts'),
    clock: systemClock,
    random: () => 0.5,
    log,
  })
  const connecting = connections.acquire(7, end.signal)
  connecting.catch(() => undefined) // each test looks at it
  for await (const state of connections.state(7).watch(end.signal)) {
    if (state.kind === 'unknown-host') connections.answerHostKey(7, true, state.offered.fingerprint)
    if (state.kind === 'open' || state.kind === 'failed') break
  }
  return { connecting, folder }
}

test('a machine is logged in to as its configuration says, and nothing in that is run', async () => {
  const { connecting, folder } = await logInBy(
    (home) => `Match exec "touch ${home}/was-run"
  User eve
Host slipway-7
  User ${user}
  IdentityFile %d/.ssh/mine
  Port 1
  HostName 192.0.2.1
`,
  )
  expect((await connecting).user).toBe(user)
  expect(await readdir(folder)).not.toContain('was-run')
})

test('what is switched off is not read', async () => {
  const { connecting } = await logInBy(
    () => `Host slipway-7\n  User ${user}\n  IdentityFile %d/.ssh/mine\n`,
    {
      isWanted: false,
    },
  )
  await expect(connecting).rejects.toMatchObject({ failure: { problem: { kind: 'no-keys' } } })
})

test('a configuration that cannot be read is named when the login fails', async () => {
  const { connecting } = await logInBy(() => 'Host slipway-7\n  Include work/*.conf\n')
  await expect(connecting).rejects.toMatchObject({
    failure: {
      problem: {
        kind: 'no-keys',
        skipped: [{ name: '~/.ssh/config', why: { code: 'not-read' } }],
      },
    },
  })
})

test('with IdentitiesOnly the agent signs with the keys that are named, and with no other', async () => {
  const agent = await startAgent()
  for (let count = 0; count < 8; count += 1) await agent.add(makeEd25519KeyPair('one of many').privateKey)
  await agent.add(mine.privateKey)
  const lines = `Host slipway-7\n  User ${user}\n  IdentitiesOnly yes\n`
  const named = await logInBy(() => `${lines}  IdentityFile %d/.ssh/mine.pub\n`, {
    agentSocket: agent.socket,
  })
  expect((await named.connecting).user).toBe(user)

  const other = await startAgent()
  await other.add(stranger.privateKey)
  const { connecting } = await logInBy(() => `${lines}  IdentityFile %d/.ssh/mine.pub\n`, {
    agentSocket: other.socket,
  })
  await expect(connecting).rejects.toMatchObject({
    failure: {
      problem: {
        kind: 'no-keys',
        skipped: expect.arrayContaining([
          { name: 'the SSH agent', why: { code: 'no-named-key' } },
        ]) as unknown,
      },
    },
  })
})

test('names that are found are left out of texts, though others cannot be read or are too many', async () => {
  const folder = await temporaryFolder()
  await mkdir(join(folder, 'many'))
  for (let count = 100; count < 350; count += 1)
    await writeFile(join(folder, 'many', `${count}`), `Host many-${count}\n`)
  await writeFile(join(folder, 'broken'), 'Host "half\n')
  await writeFile(join(folder, 'config'), 'Host first\nInclude broken many/*\nHost last\n')
  const log = memoryLog()
  const { names } = createHostConfigReader({
    userFile: join(folder, 'config'),
    ownFile: join(folder, 'own'),
    homeFolder: folder,
    isWanted: () => false,
    user: () => 'nobody-here',
    log,
  })
  const found = await names()
  expect(found).toHaveLength(201)
  expect(found).toEqual(expect.arrayContaining(['first', 'many-100', 'last']))
})
