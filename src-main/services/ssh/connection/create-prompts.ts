import type { HostLogin } from '../../../domain/ssh/ssh-login.ts'
import { HostPassword, type LoginSecrets } from './host-password.ts'
import { PromptedLogin, type AskLogin, type LateAnswer, type PromptedLoginOptions } from './prompted-login.ts'

/** What a login without a key needs from outside of its connection. */
export interface PromptsWorld extends Pick<PromptedLoginOptions, 'late' | 'onLate'> {
  readonly ask: AskLogin
  readonly secrets?: LoginSecrets
  readonly late: LateAnswer | null
}

interface PromptsPlace extends Pick<PromptedLoginOptions, 'aside' | 'fail'> {
  readonly login: HostLogin
  readonly hostKey: () => string
  /** With the attempt its questions go. */
  readonly over: AbortSignal
  readonly gone: AbortSignal
}

/** Where nothing is kept, and there are no codes. */
const nothingKept: LoginSecrets = {
  passwords: {
    read: () => Promise.resolve({ kind: 'none' }),
    keep: () => Promise.resolve(),
    noteRefused: () => undefined,
  },
  codeFor: () => Promise.reject(new Error('There is no vault')),
  remember: () => undefined,
  log: { info: () => undefined, warn: () => undefined, error: () => '' },
}

/** Where nobody is there to answer. */
const nobody: PromptsWorld = { ask: () => Promise.resolve(null), late: null, onLate: () => undefined }

/** The logins without a key of one attempt to connect. */
export function createPrompts(world: PromptsWorld = nobody, place: PromptsPlace): PromptedLogin {
  const { secrets = nothingKept, ask, late, onLate } = world
  const { login, hostKey, over, gone, aside, fail } = place
  return new PromptedLogin({
    ...{ user: login.user, secrets, late, onLate, aside, fail, over: gone },
    ask: (question) => ask(question, over),
    password: new HostPassword(secrets, login, hostKey),
  })
}
