import { execFile, spawn } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import { emptyContent } from '#domain/templates/template-content.ts'
import { formOf } from '#domain/templates/template-form.ts'
import type { KeychainBackend } from '#services/vault/keychain/keychain-backend.ts'
import { type Simulator, startSimulator } from '../../simulator/simulator.ts'
import { bitwardenLogin, plainBitwarden, sealBitwarden } from '../../support/vault/authenticator-exports.ts'
import { filesBelow, secretsIn } from '../../support/leaks.ts'
import { createPerson, moveToFreshStep, totp } from '../simulator/two-factor-person.ts'
import { statusOf } from '../guards/guarded-instance.ts'
import { search } from '../simulator/caller.ts'
import { keyringForTest } from '../vault/keychain/run-of-slipway.ts'
import { startKeytarProcess } from '../vault/keychain/keytar-process.ts'
import { type Client, startMain } from './main-program.ts'
import { bucket, rentRequestFor } from './requests.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

// One run through all that knows a secret, with a real keyring and a real sshd, and with what goes wrong in between,
// which is what logs are written for. Then everything that main has left is searched. The page's own memory and storage,
// and what Chromium keeps, are searched by tests/e2e/security/canaries.spec.ts.

/** Of what the service says and is told, what is a secret. */
const secretFields = new Set([
  ...['secret', 'session_key', 'instance_api_key', 'provisioning_uri', 'backup_code'],
  ...['docker_login_pass', 'secret_access_key', 'application_key'],
])

test('no secret is in a file, in the log, or in what a page is told', async () => {
  const folder = await temporaryFolder()
  const home = join(folder, 'home')
  await mkdir(home)
  const keyFile = join(home, 'id_canary')
  const passphrase = 'canary "of a" passphrase/ä'
  await promisify(execFile)('ssh-keygen', ['-q', '-t', 'ed25519', '-N', passphrase, '-f', keyFile])
  const service = await startSimulator({ offers: 20, bootSeconds: [0, 0] })
  onTestFinished(() => service.close())
  const person = createPerson(service, 'default', { sshKey: await readFile(`${keyFile}.pub`, 'utf8') })

  const secrets = new Map<string, string>([
    ['API key', person.key],
    ['passphrase', passphrase],
    ['registry token', 'canary-registry-token'],
    ['cloud secret', 'canary-cloud-secret/+='],
    ['Jupyter token', 'canaryjupytertoken42'],
    ['wrong API key', 'canary-wrong-api-key'],
    ['typed one-time password', 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJA'],
    ['typed backup code', 'TYPE-DTYP-0007'],
    ['passphrase of an export', 'canary-export-passphrase'],
    ['imported one-time password', 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJC'],
    ['password of an import', 'canary-import-password'],
    ['wrong password of an import', 'canary-import-wrong'],
    ['password in an import', 'canary-of-a-login'],
  ])
  /** A page asks for these, to show them. */
  const shown = new Set<string>(['typed one-time password', 'typed backup code'])
  const take = (value: unknown, name = ''): void => {
    if (Array.isArray(value)) for (const [index, one] of value.entries()) take(one, `${name} ${index}`)
    else if (typeof value === 'object' && value !== null)
      for (const [field, inner] of Object.entries(value)) {
        if (typeof inner === 'string' && inner !== '' && secretFields.has(field))
          secrets.set(`${field} ${secrets.size}`, inner)
        else if (field === 'backup_codes') take(inner, field)
        else if (typeof inner === 'object') take(inner)
      }
    else if (name.startsWith('backup_codes') && typeof value === 'string')
      secrets.set(`${name} ${secrets.size}`, value)
  }
  const keyring = await keyringForTest()
  const keytar = startKeytarProcess(keyring.env)
  const keychain: KeychainBackend = {
    get: keytar.get,
    delete: keytar.delete,
    set: (account, value) => {
      for (const line of partsOf(value)) secrets.set(`${account} in the keychain, ${line.slice(0, 4)}`, line)
      for (const line of argumentsOfAll()) args.add(line)
      return keytar.set(account, value)
    },
  }
  const opened: string[] = []
  const args = new Set<string>()
  // What the search of arguments has to find.
  const planted = 'canary-planted-argument'
  const program = spawn('sh', ['-c', 'read _', 'sh', planted], { stdio: ['pipe', 'ignore', 'ignore'] })
  onTestFinished(() => void program.stdin.end())
  const userData = join(folder, 'data')

  const { app, window } = await startMain({
    userData,
    homeFolder: home,
    keychain,
    secrets: {
      clipboard: { writeSecret: async () => undefined, read: async () => '', clear: () => undefined },
      protectScreen: null,
      idleMs: () => 0,
      isLocked: () => false,
      chooseFile: async (name) => join(folder, name),
    },
    fetch: async (input, init) => {
      if (typeof init?.body === 'string') take(JSON.parse(init.body))
      const response = await fetch(input, init)
      const text = await response.clone().text()
      if (text.startsWith('{') && response.ok) take(parsed(text))
      return response
    },
    programs: () => ({
      openEditor: () => Promise.resolve('opened'),
      openPlainLink: () => Promise.resolve('opened'),
      openPort: (url) => {
        opened.push(url)
        for (const line of argumentsOfAll()) args.add(line)
        return Promise.resolve('opened')
      },
    }),
  })

  const first = window()
  const account = { serviceAddress: service.baseUrl, keepIn: 'keychain' } as const
  await expect(
    first.client.accounts.connect({ ...account, apiKey: 'canary-wrong-api-key' }),
  ).rejects.toThrow()
  await first.client.accounts.connect({ ...account, apiKey: person.key })
  const page = window()
  const { client } = page
  await useTemplatesAndCloud(client, service)
  const instanceId = await rentAndForward(client, service, { keyFile, passphrase })
  await useTwoFactor(client, service, person)
  await useVault(client)
  const { path } = await client.settings.exportFile()
  expect(await readFile(path ?? '', 'utf8')).toContain('"format": "slipway-settings"')
  // What is opened is in the arguments of the program that opens it, for every user of the computer to read.
  expect(opened).toEqual([expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/[\da-f-]{36}$/)])
  const jupyter = await fetch(opened[0] ?? '', { redirect: 'manual' })
  expect(jupyter.headers.get('location')).toContain('?token=canaryjupytertoken42')
  await client.instances.destroy({ id: instanceId })
  const received = [...first.received, ...page.received].flatMap(textsIn)
  page.close()
  await app.dispose()

  // The search is not blind: what is there is found.
  expect(secrets.size).toBeGreaterThan(25)
  expect(
    secretsIn(new Map([['it', passphrase]]), [Buffer.from(`.${passphrase}`).toString('base64')]),
  ).toEqual(['it'])
  expect(secretsIn(secrets, received).filter((name) => name.startsWith('backup_codes'))).toHaveLength(10)
  const log = await readFile(join(userData, 'logs', 'slipway.log'), 'utf8')
  expect(log.length).toBeGreaterThan(500)

  expect(secretsIn(secrets, await filesBelow(folder))).toEqual([])
  // Of the keychain's process and of the shells on the machine, among others: every user of a computer can read them.
  expect([...args].some((line) => line.includes('keytar'))).toBe(true)
  expect(secretsIn(new Map([['planted', planted]]), [...args])).toEqual(['planted'])
  expect(secretsIn(secrets, [...opened, ...args])).toEqual([])
  // Shown once by nature: the new secret, the new backup codes, and the instance's own key.
  const untold = new Map(
    [...secrets].filter(
      ([name]) =>
        !/^(secret|provisioning_uri|backup_codes|instance_api_key|totp|backup)/.test(name) &&
        !shown.has(name),
    ),
  )
  expect([...untold.keys()]).toEqual(expect.arrayContaining(['API key', 'passphrase', 'Jupyter token']))
  expect(secretsIn(untold, received)).toEqual([])
})

/** The arguments of every program that runs on this computer now. */
function argumentsOfAll(): readonly string[] {
  return readdirSync('/proc').flatMap((pid) => {
    try {
      return /^\d+$/.test(pid) ? [readFileSync(join('/proc', pid, 'cmdline'), 'utf8')] : []
    } catch {
      return [] // it has ended meanwhile
    }
  })
}

async function useTemplatesAndCloud(client: Client, service: Simulator): Promise<void> {
  const draft = {
    id: crypto.randomUUID(),
    origin: { kind: 'new' } as const,
    form: formOf({
      ...emptyContent,
      name: 'Private',
      image: 'private/image',
      docker_login_repo: 'registry.example',
      docker_login_user: 'me',
    }),
  }
  await client.templates.keepDraft(draft)
  await client.templates.holdToken({ id: draft.id, token: 'canary-registry-token' })
  service.faults.add({ kind: 'refused', error: 'odd', method: 'POST', path: '/api/v0/template/' })
  await expect(client.templates.save(draft)).rejects.toThrow()
  service.faults.add({ kind: 'malformed-json', method: 'POST', path: '/api/v0/template/' })
  await client.templates.save(draft)
  const connection = bucket('Canary', 'canary-cloud-secret/+=')
  service.faults.add({ kind: '500', method: 'POST', path: '/api/v0/users/cloud/' })
  await client.cloud.add(connection)
  await client.cloud.add(connection)
}

/** Rents, keeps the instance's own key, and opens its notebook by way of a forward. */
async function rentAndForward(
  client: Client,
  service: Simulator,
  key: { readonly keyFile: string; readonly passphrase: string },
): Promise<number> {
  await client.ssh.keys.create()
  await client.ssh.keys.addIdentityFile({ path: key.keyFile })
  await client.settings.update({ sshUser: service.sshUser })
  const as = { baseUrl: service.baseUrl, key: service.key }
  const [offer] = await search(as, { rentable: { eq: true }, limit: 1 })
  const rented = await client.renting.rent({ ...rentRequestFor(offer?.id ?? 0), keepInstanceKey: true })
  if (rented.kind !== 'rented') throw new Error('the rental was lost')
  const { instanceId } = rented
  await expect.poll(() => statusOf(client, instanceId)).toBe('running')
  const runtime = join(service.instances.homeOf(instanceId) ?? '', '.local', 'share', 'jupyter', 'runtime')
  await mkdir(runtime, { recursive: true })
  const told = { port: 8888, base_url: '/', secure: false, token: 'canaryjupytertoken42' }
  await writeFile(join(runtime, 'jpserver-1.json'), JSON.stringify(told))

  const entrance = { port: 18_888, reach: 'loopback' } as const
  const plan = { kind: 'local', entrance, to: { host: '127.0.0.1', port: 8888 } } as const
  const { id } = await client.forwards.add({ instanceId, plan, takeFree: true })
  const answered = new Set<string>()
  for await (const connections of await client.ssh.connections.watch()) {
    const state = connections.find((one) => one.instanceId === instanceId)?.state
    if (state?.kind === 'open') break
    if (state === undefined || answered.has(state.kind)) continue
    answered.add(state.kind)
    if (state.kind === 'unknown-host')
      await client.ssh.connections.answerHostKey({
        instanceId,
        trust: true,
        fingerprint: state.offered.fingerprint,
      })
    else if (state.kind === 'passphrase')
      await client.ssh.connections.answerPassphrase({
        instanceId,
        path: state.key.path,
        answer: { passphrase: key.passphrase, remember: true },
      })
    else if (state.kind === 'failed') throw new Error(JSON.stringify(state))
  }
  expect(answered).toContain('passphrase')
  expect(await client.forwards.openInBrowser({ id, scheme: 'http' })).toBe('opened')
  return instanceId
}

/** Switches it on, logs in by what was kept, and renews the backup codes, with a fault in between. */
async function useTwoFactor(
  client: Client,
  service: Simulator,
  person: ReturnType<typeof createPerson>,
): Promise<void> {
  await client.twoFactor.refresh()
  const { flowId } = await client.twoFactor.begin({
    goal: { kind: 'add', method: 'totp' },
    keepIn: 'keychain',
  })
  await client.twoFactor.send({ flowId })
  await client.twoFactor.submit({ flowId, code: person.lastCode('email') })
  const { secret } = await client.twoFactor.enrolment({ flowId })
  await client.twoFactor.confirm({ flowId, code: totp(service, secret), label: 'Desk', anyway: false })
  await client.twoFactor.newCodes({ flowId })
  await client.twoFactor.finishSaving({ flowId, words: 'not saved' })
  const goal = { kind: 'log-in', admin: false } as const
  for (const fault of ['500', null] as const) {
    const login = await client.twoFactor.begin({ goal, keepIn: 'keychain' })
    await client.twoFactor.choose({ flowId: login.flowId, choiceId: 'backup-code' })
    if (fault !== null) service.faults.add({ kind: fault, method: 'POST', path: '/api/v0/tfa/' })
    await client.twoFactor.submitStored({ flowId: login.flowId })
    await moveToFreshStep(service)
  }
}

async function useVault(client: Client): Promise<void> {
  const keepIn = 'keychain'
  const uri = 'otpauth://totp/Canary:me?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJA&issuer=Canary'
  await client.vault.addUri({ uri, keepIn })
  await client.vault.addBackupCodes({ text: 'TYPE-DTYP-0007', keepIn })
  await client.vault.exportEncrypted({ passphrase: 'canary-export-passphrase' })
  const login = bitwardenLogin('Canary', 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJC')
  const text = sealBitwarden(plainBitwarden([login]), 'canary-import-password')
  const wrong = client.vault.importText({ text, passphrase: 'canary-import-wrong', keepIn })
  await expect(wrong).rejects.toMatchObject({ data: { fault: { code: 'wrong-password' } } })
  await client.vault.importText({ text, passphrase: 'canary-import-password', keepIn })
}

/** The lines and values of what is kept that are worth looking for; not those that only say what it is. */
function partsOf(value: string): readonly string[] {
  const texts = value.startsWith('{') ? valuesOf(parsed(value)) : value.split('\n')
  return texts.filter((text) => text.length >= 9 && !text.startsWith('-----') && !/^[a-z-]+$/.test(text))
}

function valuesOf(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(valuesOf) : []
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    if (error instanceof SyntaxError) return null
    throw error
  }
}

/** Lists of offers and templates are texts inside of a message. */
function textsIn(message: unknown): readonly string[] {
  if (typeof message === 'object' && message !== null) return Object.values(message).flatMap(textsIn)
  return [String(message)]
}
