/**
 * Whether the request that was refused may be sent again as it is. `automatic`: Slipway does it after these
 * delays, in sight and to be canceled; `by-hand`: whenever the user wants; `never`: something must change first.
 */
export type Repeat =
  | { readonly kind: 'never' }
  | { readonly kind: 'by-hand' }
  | { readonly kind: 'automatic'; readonly delaysMs: readonly (readonly [from: number, to: number])[] }

/** What a procedure does about a code, besides telling it. */
export type CodeReaction =
  /** The form stays as it is; `focus` names what to look at. */
  | { readonly kind: 'stay'; readonly focus: 'form' | 'code' | 'number' | 'choice' }
  /** The session is dropped, the API key is tested, the login is offered. */
  | { readonly kind: 'session-ended' }
  /** The account is asked for again, and another way is to be chosen. */
  | { readonly kind: 'refetch' }
  /** The challenge is forgotten; a new code is to be sent by hand. */
  | { readonly kind: 'send-again' }
  /** A code is under way already: its secret is kept, or adopted by sending it once more. */
  | { readonly kind: 'adopt-challenge' }
  /** Permission to add a method is asked for again, in place; what was typed is kept. */
  | { readonly kind: 'authorise' }
  /** The first step of the authorization is repeated; not without asking when it costs an SMS. */
  | { readonly kind: 'authorise-again' }
  | { readonly kind: 'backup-code-dead' }
  | { readonly kind: 'upgrade-legacy' }
  | { readonly kind: 'already-set-up' }
  /** This number is not tried again during this run. */
  | { readonly kind: 'refuse-number' }
  /** Sending waits on this side, longer each time. */
  | { readonly kind: 'cooldown'; readonly seconds: readonly number[] }
  | { readonly kind: 'locked' }
  | { readonly kind: 'wrong-code' }
  | { readonly kind: 'block-email' }
  | { readonly kind: 'missing-email' }
  | { readonly kind: 'gone' }
  | { readonly kind: 'set-up-again' }
  | { readonly kind: 'disable-sms' }
  | { readonly kind: 'team' }
  /** There is nothing to do but to wait for the retries. */
  | { readonly kind: 'retry' }

export interface CodeMeaning {
  readonly title: string
  readonly meaning: string
  readonly nextStep: string
  readonly repeat: Repeat
  readonly reaction: CodeReaction
}
