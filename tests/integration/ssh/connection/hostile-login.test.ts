import type { AuthContext } from 'ssh2'
import { describe, expect, onTestFinished, test } from 'vitest'
import { mostPrompts } from '#domain/ssh/ssh-login.ts'
import { makeEd25519KeyPair } from '#services/ssh/keys/key-pair.ts'
import { mostQuestions, mostRounds } from '#services/ssh/connection/prompted-login.ts'
import { systemClock } from '../../../../src-main/app/system-clock.ts'
import { startLoginServer, type Authenticate, type LoginServer } from '../../../support/login-server.ts'
import { waitFor } from '../../../support/wait-for.ts'
import { openLogins } from './logins.ts'

const user = 'anybody'
const byPrompts = ['keyboard-interactive'] as const

async function serve(authenticate: Authenticate): Promise<LoginServer> {
  const server = await startLoginServer(authenticate)
  onTestFinished(server.close)
  return server
}

/** Asks by prompts as often as it is tried; everything else is refused. */
function prompting(
  ask: (context: Extract<AuthContext, { method: 'keyboard-interactive' }>) => void,
): Authenticate {
  return (context) => {
    if (context.method === 'keyboard-interactive') ask(context)
    else context.reject([...byPrompts])
  }
}

/** What ssh2's server sends, also where no login asked for it. */
function sayUnasked(connection: object, say: (protocol: Unasked) => void): void {
  const protocol: unknown = Reflect.get(connection, '_protocol')
  if (!isUnasked(protocol)) throw new Error('ssh2 has changed inside')
  say(protocol)
}
interface Unasked {
  readonly authFailure: (methods: readonly string[]) => void
  readonly authInfoReq: (name: string, instruction: string, prompts: readonly object[]) => void
  readonly authPasswdChg: (prompt: string) => void
  readonly _authsQueue: string[]
}
function isUnasked(value: unknown): value is Unasked {
  return typeof value === 'object' && value !== null && 'authFailure' in value && 'authPasswdChg' in value
}

async function openTo(authenticate: Authenticate, privateKeys: readonly string[] = []) {
  const server = await serve(authenticate)
  const login = await openLogins({ address: server.address, user, privateKeys })
  const acquired = login.acquire()
  await login.trust()
  return { server, login, acquired }
}

describe('a hostile host', () => {
  test('that never says what becomes of a password is left when its user cancels', async () => {
    const { server, login } = await openTo((context) => {
      if (context.method !== 'password') context.reject(['password'])
    })
    await login.asked()
    login.say(['mine'])
    await waitFor(() => expect(server.said).toEqual(['mine']))
    login.decline()
    expect(await login.problem()).toEqual({ kind: 'stopped' })
    // There is nothing left to cancel.
    login.decline()
  })

  test('that asks without end is left after some questions', async () => {
    const { login } = await openTo(
      prompting((context) => {
        const again = (): void => context.prompt([{ prompt: 'Once more:', echo: true }], again)
        again()
      }),
    )
    for (let count = 0; count < mostQuestions; count += 1) {
      await login.asked()
      login.say(['here'])
    }
    expect(await login.problem()).toEqual({ kind: 'login-ended', why: 'too-many-rounds' })
  })

  test('that asks for nothing without end is left after some rounds', async () => {
    let rounds = 0
    const { login } = await openTo(
      prompting((context) => {
        const again = (): void => {
          rounds += 1
          context.prompt([], 'wait', again)
        }
        again()
      }),
    )
    expect(await login.problem()).toEqual({ kind: 'login-ended', why: 'too-many-rounds' })
    expect(rounds).toBe(mostRounds + 1)
  })

  test.each([mostPrompts + 1, 5_000])('that asks for %d answers at once is left', async (count) => {
    const prompts = Array.from({ length: count }, () => ({ prompt: '', echo: false }))
    const { login } = await openTo(prompting((context) => context.prompt(prompts, () => undefined)))
    expect(await login.problem()).toEqual({ kind: 'login-ended', why: 'too-many-prompts' })
  })

  const nothing = { prompt: '', echo: false }
  test.each([
    ['10,000 prompts', Array.from({ length: 10_000 }, () => nothing)],
    ['a prompt of a megabyte', [{ prompt: 'x'.repeat(1_000_000), echo: false }]],
  ])('that sends %s never gets them whole to the window', async (_, prompts) => {
    const { login } = await openTo(prompting((context) => context.prompt(prompts, () => undefined)))
    const state = await login.until(['failed', 'login'])
    if (state.kind === 'login') expect(JSON.stringify(state).length).toBeLessThan(10_000)
    else expect(['link-lost', 'banner-too-long', 'login-ended']).toContain(state.problem.kind)
  })

  test('whose words are long, controlling or reordering is shown in its length and as plain text', async () => {
    const nasty = `\u001B[2J\u202Eevil\u0000\u200Be\u0301\u0301\u0301\u0301\u0301\u0301\u0301\u0301\r\nnext`
    const { login } = await openTo(
      prompting((context) =>
        context.prompt(
          [{ prompt: `${nasty}${'p'.repeat(9_000)}`, echo: true }],
          'n'.repeat(9_000),
          `${nasty}${'i'.repeat(9_000)}`,
          () => undefined,
        ),
      ),
    )
    const { name, instruction, prompts } = await login.asked()
    expect([name.length, instruction.length, prompts[0]?.text.length]).toEqual([200, 4_000, 1_000])
    expect(instruction).toMatch(/^\[2Jevile\u0301{4}\nnexti+…$/)
    expect(prompts[0]?.text).toMatch(/^\[2Jevile\u0301{4}\nnextp+…$/)
  })

  test('that replies while its user is still asked is left, and the question withdrawn', async () => {
    const { login } = await openTo((context, connection) => {
      context.reject(['password'])
      setImmediate(() =>
        sayUnasked(connection, (protocol) => {
          protocol._authsQueue.push('password')
          protocol.authFailure(['password'])
        }),
      )
    })
    expect(await login.problem()).toEqual({ kind: 'login-ended', why: 'out-of-turn' })
    expect(() => login.answerAs(1)).toThrow('invalid-input')
  })

  test('that asks a second time before the first is answered is left', async () => {
    const { login } = await openTo((context, connection) => {
      if (context.method !== 'keyboard-interactive') return context.reject([...byPrompts])
      context.prompt([{ prompt: 'One:', echo: false }], () => undefined)
      sayUnasked(connection, (protocol) => protocol.authInfoReq('', '', [{ prompt: 'Two:', echo: false }]))
    })
    expect(await login.problem()).toEqual({ kind: 'login-ended', why: 'out-of-turn' })
  })

  test('that asks before its key is trusted is not heard', async () => {
    const server = await serve((context) => context.reject([...byPrompts]))
    const login = await openLogins({ address: server.address, user })
    void login.acquire()
    await login.until(['unknown-host'])
    expect(server.tried).toEqual([])
    login.connections.stopTrying(1)
    expect(await login.problem()).toEqual({ kind: 'stopped' })
    expect(server.tried).toEqual([])
  })

  test('that wants a new password gets none, and it is said', async () => {
    const { login, server } = await openTo((context, connection) => {
      if (context.method !== 'password') return context.reject(['password'])
      sayUnasked(connection, (protocol) => protocol.authPasswdChg('Your password has expired'))
    })
    await login.asked()
    login.say(['a former one'])
    expect(await login.problem()).toEqual({ kind: 'login-ended', why: 'password-change' })
    expect(server.said).toEqual(['a former one'])
  })

  test('that lists what no method is called is quoted without that', async () => {
    const { login } = await openTo((context) =>
      context.reject(['hostbased', 'has a space', '\u202Eevil', 'x'.repeat(100)] as never[]),
    )
    expect(await login.problem()).toMatchObject({ kind: 'authentication-failed', accepts: ['hostbased'] })
  })
})

describe('an honest host', () => {
  test('may say what it does without asking, and then wait for its user to approve on a phone', async () => {
    const waits: number[] = []
    const sleep: typeof systemClock.sleep = (ms, signal) => {
      waits.push(ms)
      return systemClock.sleep(ms, signal)
    }
    const server = await serve(
      prompting((context) => {
        context.prompt([], 'Push', 'Approve the login on your phone', () =>
          context.prompt([{ prompt: 'Done?', echo: true }], ([answer]) => {
            expect(answer).toBe('yes')
            context.accept()
          }),
        )
      }),
    )
    const login = await openLogins({ address: server.address, user, clock: { ...systemClock, sleep } })
    const acquired = login.acquire()
    await login.trust()
    expect(await login.asked()).toMatchObject({ instruction: 'Push\nApprove the login on your phone' })
    const before = waits.length
    login.say(['yes'])
    ;(await acquired).release()
    expect(waits[before]).toBe(90_000)
  })

  test('that has closed the connection before the answer gets a password once more by itself', async () => {
    let connections = 0
    const closed = Promise.withResolvers<undefined>()
    const { login, server, acquired } = await openTo((context, connection) => {
      if (context.method === 'none') {
        connections += 1
        context.reject(['password'])
        if (connections > 1) return
        connection.on('close', () => closed.resolve(undefined))
        connection.end()
      } else if (context.method === 'password' && context.password === 'right') context.accept()
      else context.reject(['password'])
    })
    await login.asked()
    await closed.promise
    // Both ends are in this process: the client has heard of it by the next turn.
    await new Promise(setImmediate)
    login.say(['right'])
    ;(await acquired).release()
    expect(server.said).toEqual(['right'])
    expect(connections).toBe(2)
    // So that no log has it.
    expect(login.seen).toEqual(['right'])
  })

  test('is not offered further keys once it takes no more of them', async () => {
    const keys = Array.from({ length: 5 }, () => makeEd25519KeyPair('one').privateKey)
    const { server, login } = await openTo((context) => context.reject(['password']), keys)
    await login.asked()
    expect(server.tried).toEqual(['publickey'])
  })
})
