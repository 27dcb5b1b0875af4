import { z } from 'zod'

/** What one round of prompts may ask for; honest hosts ask for one or two answers, and RFC 4256 sets no limit. */
export const mostPrompts = 10
/** In UTF-16 units. A prompt may be a whole menu, as those that offer to call a phone are. */
const longestPrompt = 1_000
const longestInstruction = 4_000
const longestName = 200
/** More of them over one character draw over the lines around it. */
const mostMarks = 4

/** What a host says, as it may be shown: in its length, and without what hides, moves, or reorders text. */
function hostText(text: string, longest: number): string {
  const lines = text
    // What is cut off anyway costs nothing, however long it is.
    .slice(0, 2 * longest)
    .toWellFormed()
    .replaceAll(/\r\n?|[\p{Zl}\p{Zp}]/gu, '\n')
    .replaceAll('\t', ' ')
    .replaceAll(/[\p{Cc}\p{Cf}\p{Co}]/gu, (character) => (character === '\n' ? character : ''))
  const shown = withoutHeaps(lines).trim()
  return shown.length > longest ? `${shown.slice(0, longest - 1).toWellFormed()}…` : shown
}

function withoutHeaps(text: string): string {
  let marks = 0
  let shown = ''
  for (const character of text) {
    marks = /\p{M}/u.test(character) ? marks + 1 : 0
    if (marks <= mostMarks) shown += character
  }
  return shown
}

/** Whether a prompt asks for a code that is good once. */
export function looksLikeCode(prompt: string): boolean {
  return /\b(?:code|passcode|one[- ]?time|[th]?otp|token|2fa|mfa|two-factor)\b/i.test(prompt)
}

/** Whether a prompt asks for what stays the same, so that it can be remembered. */
function looksLikePassword(prompt: string): boolean {
  const isToBeChanged = /\b(?:new|retype|repeat|change)\b/i.test(prompt)
  return /\bpassword\b/i.test(prompt) && !isToBeChanged && !looksLikeCode(prompt)
}

const prompt = z.object({
  /** The host's own words; empty where it is asked by Slipway. */
  text: z.string(),
  /** Whether what is typed may be seen. */
  echo: z.boolean(),
  isCode: z.boolean(),
})

/** What a host asks for before it lets its user in (RFC 4252 section 8, RFC 4256). */
export const loginQuestion = z.object({
  /** Another one for each question, so that an answer meets the one that it was given to. */
  id: z.int(),
  method: z.enum(['password', 'keyboard-interactive']),
  user: z.string(),
  /** The host's own words, as {@link promptsOf} lets them through. */
  name: z.string(),
  instruction: z.string(),
  prompts: z.array(prompt).readonly(),
  /** It is a password, and nothing besides. */
  canRemember: z.boolean(),
  /** The host takes a password without prompts, too. */
  canUsePassword: z.boolean(),
  /** Why it is asked again. `too-late`: the host did not wait for the answer. */
  trouble: z.enum(['refused', 'kept-refused', 'code-unavailable', 'too-late']).nullable(),
})
export type LoginQuestion = z.infer<typeof loginQuestion>

/** What a host says in one round of prompts (RFC 4256 section 3.2). */
export interface HostPrompts {
  readonly name: string
  readonly instruction: string
  readonly prompts: readonly { readonly prompt: string; readonly echo?: boolean | undefined }[]
}

/** A round of prompts as it may be shown. */
export function promptsOf({
  name,
  instruction,
  prompts,
}: HostPrompts): Pick<LoginQuestion, 'name' | 'instruction' | 'prompts' | 'canRemember'> {
  const shown = prompts.slice(0, mostPrompts).map((each) => {
    const text = hostText(each.prompt, longestPrompt)
    return { text, echo: each.echo === true, isCode: looksLikeCode(text) }
  })
  const [first, ...others] = shown
  return {
    name: hostText(name, longestName),
    instruction: hostText(instruction, longestInstruction),
    prompts: shown,
    canRemember: first !== undefined && others.length === 0 && !first.echo && looksLikePassword(first.text),
  }
}

const response = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('text'), text: z.string().max(1024) }),
  /** The next code of this entry of the vault. */
  z.object({ kind: z.literal('code'), entryId: z.string().min(1).max(64) }),
])
export type LoginResponse = z.infer<typeof response>

export const loginAnswer = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('responses'),
    /** One for each prompt. */
    responses: z.array(response).max(mostPrompts).readonly(),
    /** In the keychain, or until Slipway quits where there is none. */
    remember: z.boolean(),
  }),
  /** No more prompts: the host takes a password, too. */
  z.object({ kind: z.literal('use-password') }),
])
export type LoginAnswer = z.infer<typeof loginAnswer>

/** Whether it answers this question: each prompt once, and with a code only where one is asked for. */
export function fits(answer: LoginAnswer, { prompts, canUsePassword }: LoginQuestion): boolean {
  if (answer.kind === 'use-password') return canUsePassword
  return (
    answer.responses.length === prompts.length &&
    answer.responses.every(({ kind }, at) => kind === 'text' || prompts[at]?.isCode === true)
  )
}

/** Where a password lets in. */
export const hostLogin = z.object({ user: z.string(), host: z.string(), port: z.number().int() })
export type HostLogin = z.infer<typeof hostLogin>

/** A password that is remembered, without itself. */
export const keptHostPassword = hostLogin.extend({ keptIn: z.enum(['keychain', 'memory']) })
export type KeptHostPassword = z.infer<typeof keptHostPassword>

/** What is kept for a login; `refused`: the host did not take it in this run, so it is not sent again. */
export type KeptPassword =
  { readonly kind: 'none' | 'refused' } | { readonly kind: 'found'; readonly password: string }
