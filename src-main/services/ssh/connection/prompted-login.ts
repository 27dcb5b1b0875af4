import type { AnyAuthMethod } from 'ssh2'
import {
  mostPrompts,
  promptsOf,
  type HostPrompts,
  type LoginAnswer,
  type LoginQuestion,
  type LoginResponse,
} from '../../../domain/ssh/ssh-login.ts'
import type { SshProblem } from '../../../domain/ssh/ssh.ts'
import { SshFailure } from '../failure.ts'
import type { HostPassword, LoginSecrets } from './host-password.ts'

/** What is asked, without its number, which is given to it where it is shown. */
export type AskedLogin = Omit<LoginQuestion, 'id'>
/** Asks the user; `null` when they do not want to log in any more. */
export type AskLogin = (question: AskedLogin, signal: AbortSignal) => Promise<LoginAnswer | null>

/** The methods by which a host asks its user. */
export const promptMethods: ReadonlySet<string> = new Set(['keyboard-interactive', 'password'])

/** As often as OpenSSH asks again after a refusal (NumberOfPasswordPrompts). */
const mostTries = 3
/** In one login, whatever the host makes of them: it cannot have its user answer for ever. */
export const mostQuestions = 12
/** In one login, also those that ask for nothing, which are answered at once. */
export const mostRounds = 20

export interface PromptedLoginOptions {
  readonly user: string
  readonly ask: (question: AskedLogin) => Promise<LoginAnswer | null>
  readonly password: HostPassword
  readonly secrets: Pick<LoginSecrets, 'codeFor' | 'remember' | 'log'>
  /** Aborted when the connection has ended. */
  readonly over: AbortSignal
  /** The host did not wait for an answer. */
  readonly onLate: (late: LateAnswer) => void
  /** What came too late for the connection before; it is sent once without asking. */
  readonly late: LateAnswer | null
  /** Does what may wait for the user, and what the host then takes its time for. */
  readonly aside: <T>(work: Promise<T>) => Promise<T>
  readonly fail: (error: unknown) => void
}

/** What the user answered when the connection had ended already. */
export interface LateAnswer {
  /** `null`: it was no password, so it has to be asked for again. */
  readonly password: string | null
  readonly remember: boolean
}

/** Logs in with what only the user knows, once keys do not do: prompts first, and then a password, as OpenSSH. */
export class PromptedLogin {
  readonly #options: PromptedLoginOptions
  readonly #tried = new Set<string>()
  /** What the host said since the user was last asked, without asking for anything. */
  #said: string[] = []
  #rounds = 0
  #questions = 0
  /** Refusals of what the user gave. */
  #refusals = 0
  #sent: 'nothing' | 'kept' | 'typed' = 'nothing'
  #hasBegun = false
  #isInPrompts = false
  #hasPrompted = false
  #promptsAreMute = false
  #wantsPassword = false
  #isKeptUsed = false
  #isAsking = false
  #late: LateAnswer | null
  #trouble: LoginQuestion['trouble']
  #toKeep: string | null = null
  #accepts: readonly string[] = []

  constructor(options: PromptedLoginOptions) {
    this.#options = options
    this.#late = options.late
    this.#trouble = options.late !== null && options.late.password === null ? 'too-late' : null
  }

  /** What was sent, as the user is told. */
  get tried(): readonly string[] {
    return [...this.#tried]
  }

  /** Whether the host was asked to ask its user, also where nobody was asked then: it may have sent a push. */
  get hasBegun(): boolean {
    return this.#hasBegun
  }

  /** Nothing the host says now can be an answer: its user is still being asked. */
  get isAsking(): boolean {
    return this.#isAsking
  }

  /** The host took what was sent last: as all, or as one of several steps. */
  noteAccepted(): void {
    if (this.#toKeep !== null) void this.#options.password.keep(this.#toKeep)
    this.#toKeep = null
    this.#sent = 'nothing'
    this.#refusals = 0
    this.#isInPrompts = false
    this.#promptsAreMute = false
    this.#wantsPassword = false
  }

  /** What comes next; `null` when there is nothing that could be asked for. @throws SshFailure */
  async next(accepts: readonly string[]): Promise<AnyAuthMethod | null> {
    this.#noteRefused()
    this.#accepts = accepts
    if (this.#refusals >= mostTries) return null
    this.#hasBegun = true
    if (accepts.includes('keyboard-interactive') && !this.#promptsAreMute && !this.#wantsPassword)
      return this.#prompts()
    if (!accepts.includes('password')) return null
    return this.#password()
  }

  /** One more round of prompts, before it is answered. @throws SshFailure when it is too many or too large */
  noteRound({ name, instruction }: Omit<HostPrompts, 'prompts'>, count: number): void {
    this.#rounds += 1
    if (this.#isAsking) throw endedBy('out-of-turn')
    if (this.#rounds > mostRounds) throw endedBy('too-many-rounds')
    if (count > mostPrompts) throw endedBy('too-many-prompts')
    if (count > 0) return
    // What OpenSSH prints: that a push was sent, or that a password ends soon.
    const said = promptsOf({ name, instruction, prompts: [] })
    this.#said = [...this.#said, said.name, said.instruction].filter((text) => text !== '')
  }

  #noteRefused(): void {
    if (this.#isInPrompts && !this.#hasPrompted) this.#promptsAreMute = true
    if (this.#sent === 'kept') this.#options.password.noteRefused()
    if (this.#sent !== 'nothing') this.#trouble = this.#sent === 'kept' ? 'kept-refused' : 'refused'
    if (this.#sent === 'typed' && !this.#wantsPassword) this.#refusals += 1
    this.#sent = 'nothing'
    this.#isInPrompts = false
    this.#toKeep = null
  }

  #prompts(): AnyAuthMethod {
    this.#isInPrompts = true
    this.#hasPrompted = false
    return {
      type: 'keyboard-interactive',
      username: this.#options.user,
      prompt: (name, instruction, _, prompts, finish) => {
        this.#hasPrompted = true
        this.#answers({ name, instruction, prompts }).then(
          (answers) => {
            if (!this.#options.over.aborted) finish([...answers])
          },
          (error: unknown) => this.#options.fail(error),
        )
      },
    }
  }

  async #answers(said: HostPrompts): Promise<readonly string[]> {
    this.#tried.add('answers to the host’s prompts')
    const none = said.prompts.map(() => '')
    if (this.#wantsPassword) return none
    const { instruction, ...shown } = promptsOf(said)
    const answers = await this.#given({
      ...{ ...shown, method: 'keyboard-interactive', user: this.#options.user },
      instruction: [...this.#said.splice(0), instruction].filter((text) => text !== '').join('\n'),
      canUsePassword: this.#accepts.includes('password'),
    })
    return answers ?? none
  }

  async #password(): Promise<AnyAuthMethod | null> {
    this.#tried.add('a password')
    this.#wantsPassword = false
    const { user } = this.#options
    const answers = await this.#given({
      ...{ method: 'password', user, name: '', instruction: this.#said.splice(0).join('\n') },
      ...{ prompts: [{ text: '', echo: false, isCode: false }], canRemember: true, canUsePassword: false },
    })
    const [password] = answers ?? []
    this.#promptsAreMute = true // A password that was refused is asked for as a password again.
    return password === undefined ? null : { type: 'password', username: user, password }
  }

  /** What is kept, or what the user says. @returns `null` when they want to give a password instead */
  async #given(asked: Omit<AskedLogin, 'trouble'>): Promise<readonly string[] | null> {
    this.#isAsking = true
    try {
      return await this.#options.aside(this.#keptOrAsked(asked))
    } finally {
      this.#isAsking = false
    }
  }

  async #keptOrAsked(asked: Omit<AskedLogin, 'trouble'>): Promise<readonly string[] | null> {
    if (asked.canRemember) {
      const kept = await this.#keptOnce()
      if (kept !== null) return [kept]
    }
    for (;;) {
      this.#questions += 1
      if (this.#questions > mostQuestions) throw endedBy('too-many-rounds')
      const answer = await this.#options.ask({ ...asked, trouble: this.#trouble })
      this.#requireNotLate(answer, asked)
      if (answer === null) throw new SshFailure({ kind: 'stopped' })
      this.#trouble = null
      if (answer.kind === 'use-password') {
        this.#wantsPassword = true
        this.#sent = 'nothing'
        return null
      }
      const texts = await this.#textsOf(answer.responses)
      this.#requireNotLate(null, asked)
      if (texts === null) continue
      this.#sent = 'typed'
      asked.prompts.forEach(({ echo, isCode }, at) => {
        if (!echo && !isCode) this.#options.secrets.remember(texts[at] ?? '')
      })
      if (asked.canRemember && answer.remember) this.#toKeep = texts[0] ?? null
      return texts
    }
  }

  /** The password that is kept, or that was given too late before; each is sent once. */
  async #keptOnce(): Promise<string | null> {
    const late = this.#late
    this.#late = null
    if (late !== null && late.password !== null) {
      this.#sent = 'typed'
      this.#options.secrets.remember(late.password)
      if (late.remember) this.#toKeep = late.password
      return late.password
    }
    if (this.#isKeptUsed) return null
    this.#isKeptUsed = true
    const kept = await this.#options.password.read()
    if (kept.kind === 'refused') this.#trouble = 'kept-refused'
    if (kept.kind !== 'found') return null
    this.#sent = 'kept'
    return kept.password
  }

  /** Where a code cannot be had, `null`: it is asked for anew. */
  async #textsOf(responses: readonly LoginResponse[]): Promise<readonly string[] | null> {
    const { secrets, over } = this.#options
    const texts: string[] = []
    try {
      for (const response of responses)
        texts.push(response.kind === 'text' ? response.text : await secrets.codeFor(response.entryId, over))
      return texts
    } catch (error) {
      over.throwIfAborted()
      secrets.log.error('A stored code could not be had', error)
      this.#trouble = 'code-unavailable'
      return null
    }
  }

  #requireNotLate(answer: LoginAnswer | null, { canRemember }: Pick<AskedLogin, 'canRemember'>): void {
    const { over, onLate } = this.#options
    if (!over.aborted || answer === null) return over.throwIfAborted()
    const [first] = answer.kind === 'responses' ? answer.responses : []
    onLate({
      password: canRemember && first?.kind === 'text' ? first.text : null,
      remember: answer.kind === 'responses' && answer.remember,
    })
    over.throwIfAborted()
  }
}

/** Why Slipway leaves a login. */
export function endedBy(why: Extract<SshProblem, { kind: 'login-ended' }>['why']): SshFailure {
  return new SshFailure({ kind: 'login-ended', why })
}
