import { z } from 'zod'

/** A key that a machine would take, or that is next to be tried, and that needs its passphrase. */
export const keyQuestion = z.object({
  path: z.string(),
  /** `SHA256:…`; `null` where the file does not tell it without its passphrase. */
  fingerprint: z.string().nullable(),
  /** 1 for the first time, one more for each passphrase that did not fit. */
  attempt: z.number().int(),
  /** Why it is asked again. */
  trouble: z.enum(['wrong', 'kept-is-wrong']).nullable(),
})
export type KeyQuestion = z.infer<typeof keyQuestion>

export const passphraseAnswer = z.object({
  passphrase: z.string().min(1).max(1024),
  /** In the keychain. */
  remember: z.boolean(),
})
export type PassphraseAnswer = z.infer<typeof passphraseAnswer>
