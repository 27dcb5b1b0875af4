import { describe, expect, test } from 'vitest'
import { makeEd25519KeyPair } from '#services/ssh/keys/key-pair.ts'
import { startAsyncSsh } from '../../../ssh-servers/asyncssh.ts'
import { startDropbear } from '../../../ssh-servers/dropbear.ts'
import { startParamiko } from '../../../ssh-servers/paramiko.ts'
import { password, user } from '../../../ssh-servers/server.ts'
import { waitFor } from '../../../support/wait-for.ts'
import { startAgent } from '../keys/agent.ts'
import { startSshd } from '../sshd.ts'
import { MemoryPasswords, openLogins } from './logins.ts'

const { privateKey, publicKey } = makeEd25519KeyPair('mine')
const stranger = makeEd25519KeyPair('stranger').privateKey
const authorizedKeys = [publicKey.line]
const codes = [{ text: 'Verification code: ', answer: '755224' }]

describe('a password', () => {
  test('is asked for once the host takes no key, asked again when it was wrong, and never logged', async () => {
    const { address } = await startDropbear({ authorizedKeys, login: 'password' })
    const login = await openLogins({ address, user, privateKeys: [stranger] })
    const acquired = login.acquire()
    await login.trust()
    expect(await login.asked()).toMatchObject({
      ...{ method: 'password', user, name: '', instruction: '', trouble: null, canRemember: true },
      prompts: [{ text: '', echo: false, isCode: false }],
    })
    expect(() => login.answerAs(1)).toThrow('invalid-input') // an answer without responses
    expect(() => login.answerAs(7)).toThrow('invalid-input')
    login.say(['wrong password'])
    expect((await login.asked()).trouble).toBe('refused')
    login.say([password])
    ;(await acquired).release()
    expect(login.store.kept.size).toBe(0)
    expect(login.seen).toEqual(['wrong password', password])
  })

  test('that is remembered goes on by itself, only to the host key that it was given to', async () => {
    const store = new MemoryPasswords()
    const { address } = await startParamiko({ authorizedKeys, logins: [['password']] })
    const first = await openLogins({ address, user, store })
    const one = first.acquire()
    await first.trust()
    await first.asked()
    first.say([password], true)
    ;(await one).release()
    await waitFor(() => expect(store.kept.size).toBe(1))
    expect([...store.kept.values()]).toEqual([{ password, hostKey: await first.hostKey() }])

    const again = await openLogins({ address, user, store })
    const two = again.acquire()
    await again.trust()
    ;(await two).release() // without a question

    store.kept.set(`${user}@127.0.0.1:${address.port}`, { password, hostKey: 'SHA256:of another' })
    const moved = await openLogins({ address, user, store })
    void moved.acquire()
    await moved.trust()
    expect((await moved.asked()).trouble).toBeNull()
  })

  test('that is remembered and refused is sent once, and asked for anew', async () => {
    const store = new MemoryPasswords()
    const { address } = await startDropbear({ authorizedKeys, login: 'password' })
    const probe = await openLogins({ address, user })
    void probe.acquire()
    await probe.trust()
    await probe.asked()
    const hostKey = await probe.hostKey()
    store.kept.set(`${user}@127.0.0.1:${address.port}`, { password: 'a former one', hostKey })

    const first = await openLogins({ address, user, store })
    void first.acquire()
    await first.trust()
    expect((await first.asked()).trouble).toBe('kept-refused')
    first.decline()
    expect(await first.problem()).toEqual({ kind: 'stopped' })

    const next = await openLogins({ address, user, store })
    const acquired = next.acquire()
    await next.trust()
    expect((await next.asked()).trouble).toBe('kept-refused')
    expect(next.seen).toEqual([]) // it was not taken out to be sent
    next.say([password], true)
    ;(await acquired).release()
    await waitFor(() => expect([...store.kept.values()]).toEqual([{ password, hostKey }]))
  })

  test('is asked for also when the keys have used up all tries of the host', async () => {
    const agent = await startAgent()
    for (let count = 0; count < 7; count += 1) await agent.add(makeEd25519KeyPair('another').privateKey)
    const { address } = await startSshd({
      authorizedKeys,
      config: ['PasswordAuthentication yes', 'MaxAuthTries 6'],
    })
    const login = await openLogins({ address, user, privateKeys: [stranger], agentSocket: agent.socket })
    void login.acquire()
    await login.trust()
    for (const trouble of [null, 'refused', 'refused']) {
      expect(await login.asked()).toMatchObject({ method: 'password', trouble })
      login.say(['wrong password'])
    }
    expect(await login.problem()).toEqual({
      ...{ kind: 'authentication-failed', user, tried: ['key 1', 'the SSH agent', 'a password'] },
      skipped: [
        { name: 'further keys of the SSH agent', why: { code: 'too-many', most: 6 } },
        { name: 'further keys', why: { code: 'no-attempts-left' } },
      ],
      ...{ accepts: ['publickey', 'password'], partial: false },
    })
  })

  test('that is remembered and uses up the tries that the keys left is asked for anew, unless a key is wanted as well', async () => {
    const agent = await startAgent()
    for (let count = 0; count < 4; count += 1) await agent.add(makeEd25519KeyPair('another').privateKey)
    const store = new MemoryPasswords()
    const options = { user, store, agentSocket: agent.socket }
    const config = ['PasswordAuthentication yes', 'MaxAuthTries 5']
    const { address } = await startSshd({ authorizedKeys, config })
    const first = await openLogins({ ...options, address })
    void first.acquire()
    await first.trust()
    await first.asked()
    first.say(['wrong password'])
    const skipped = [{ name: 'further passwords or codes', why: { code: 'no-attempts-left' } }]
    const failed = { kind: 'authentication-failed', user, tried: ['the SSH agent', 'a password'], skipped }
    expect(await first.problem()).toEqual({
      ...failed,
      ...{ accepts: ['publickey', 'password'], partial: false },
    })
    const hostKey = await first.hostKey()
    store.kept.set(`${user}@127.0.0.1:${address.port}`, { password: 'a former one', hostKey })
    const next = await openLogins({ ...options, address })
    void next.acquire()
    await next.trust()
    expect(await next.asked()).toMatchObject({ method: 'password', trouble: 'kept-refused' })

    await agent.add(privateKey)
    const both = await startSshd({
      authorizedKeys,
      config: [...config, 'AuthenticationMethods publickey,password'],
    })
    const probe = await openLogins({ ...options, address: both.address })
    void probe.acquire()
    await probe.trust()
    await probe.asked()
    const place = `${user}@127.0.0.1:${both.address.port}`
    store.kept.set(place, { password: 'a former one', hostKey: await probe.hostKey() })
    const last = await openLogins({ ...options, address: both.address })
    void last.acquire()
    await last.trust()
    expect(await last.problem()).toEqual({ ...failed, accepts: ['password'], partial: true })
  })

  test('that is wrong three times ends the login, which says what the host takes', async () => {
    const { address } = await startParamiko({ authorizedKeys, logins: [['password']] })
    const login = await openLogins({ address, user })
    void login.acquire()
    await login.trust()
    for (const wrong of ['one', 'two', 'three']) {
      await login.asked()
      login.say([wrong])
    }
    expect(await login.problem()).toEqual({
      ...{ kind: 'authentication-failed', user, tried: ['a password'], skipped: [] },
      ...{ accepts: ['password'], partial: false },
    })
  })
})

describe('prompts', () => {
  test('are asked in the host’s words; a code is no password to be remembered', async () => {
    const { address } = await startAsyncSsh({
      authorizedKeys,
      logins: ['keyboard-interactive'],
      questions: [{ text: 'Password: ', answer: password }, ...codes],
    })
    const login = await openLogins({ address, user })
    const acquired = login.acquire()
    await login.trust()
    expect(await login.asked()).toMatchObject({
      ...{ method: 'keyboard-interactive', canRemember: false, canUsePassword: false },
      prompts: [
        { text: 'Password:', echo: false, isCode: false },
        { text: 'Verification code:', echo: false, isCode: true },
      ],
    })
    login.say([password, '000000'])
    expect((await login.asked()).trouble).toBe('refused')
    login.say([password, '755224'], true)
    ;(await acquired).release()
    expect(login.store.kept.size).toBe(0)
  })

  test('of a host that takes a password as well are asked for once; one that is remembered answers them', async () => {
    const { address } = await startAsyncSsh({
      authorizedKeys,
      logins: ['publickey', 'password', 'keyboard-interactive'],
    })
    const store = new MemoryPasswords()
    const first = await openLogins({ address, user, store, privateKeys: [stranger] })
    const one = first.acquire()
    await first.trust()
    expect(await first.asked()).toMatchObject({ canRemember: true, canUsePassword: true })
    first.say([password], true)
    ;(await one).release()
    await waitFor(() => expect(store.kept.size).toBe(1))
    const again = await openLogins({ address, user, store })
    const two = again.acquire()
    await again.trust()
    ;(await two).release()

    const instead = await openLogins({ address, user })
    const three = instead.acquire()
    await instead.trust()
    await instead.asked()
    instead.usePassword()
    expect(await instead.asked()).toMatchObject({ method: 'password', trouble: null })
    instead.say([password])
    ;(await three).release()
  })

  test('that come after a key get a code of the vault, which the user chose', async () => {
    const { address } = await startParamiko({
      authorizedKeys,
      logins: [['publickey', 'keyboard-interactive']],
      questions: codes,
    })
    const given: string[] = []
    const login = await openLogins({
      ...{ address, user, privateKeys: [stranger, privateKey] },
      codeFor: (entryId) => {
        if (given.push(entryId) === 1) return Promise.reject(new Error('the keychain is locked'))
        return Promise.resolve('755224')
      },
    })
    const acquired = login.acquire()
    await login.trust()
    expect(await login.asked()).toMatchObject({ prompts: [{ isCode: true }], trouble: null })
    expect(given).toEqual([])
    login.sayCode('entry')
    expect((await login.asked()).trouble).toBe('code-unavailable')
    login.sayCode('entry')
    ;(await acquired).release()
    expect(given).toEqual(['entry', 'entry'])
  })

  test('after a key of an agent that holds many: no other key is offered', async () => {
    const agent = await startAgent()
    await agent.add(privateKey)
    for (let count = 0; count < 8; count += 1) await agent.add(makeEd25519KeyPair('another').privateKey)
    const { address } = await startDropbear({
      ...{ authorizedKeys, login: 'key and password', args: ['-T', '4'] },
    })
    const login = await openLogins({ address, user, agentSocket: agent.socket })
    const acquired = login.acquire()
    await login.trust()
    expect(await login.asked()).toMatchObject({ method: 'password' })
    login.say([password])
    ;(await acquired).release()
  })

  test('that are declined end the attempt', async () => {
    const { address } = await startAsyncSsh({ authorizedKeys, logins: ['keyboard-interactive'] })
    const login = await openLogins({ address, user })
    const acquired = login.acquire()
    await login.trust()
    await login.asked()
    login.decline()
    await expect(acquired).rejects.toMatchObject({ failure: { problem: { kind: 'stopped' } } })
  })
})

test('a host that wants another step says so, and what is missing', async () => {
  const { address } = await startSshd({
    authorizedKeys,
    config: ['AuthenticationMethods publickey,hostbased', 'HostbasedAuthentication yes'],
  })
  const login = await openLogins({ address, user, privateKeys: [privateKey] })
  void login.acquire()
  await login.trust()
  expect(await login.problem()).toEqual({
    ...{ kind: 'authentication-failed', user, tried: ['key 1'], skipped: [] },
    ...{ accepts: ['hostbased'], partial: true },
  })
})
