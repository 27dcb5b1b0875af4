import { eventIterator } from '@orpc/contract'
import { z } from 'zod'
import { connectionsList } from '../domain/ssh/ssh-connection.ts'
import { instanceWay, sshChoice } from '../domain/ssh/ssh-choice.ts'
import { loginAnswer } from '../domain/ssh/ssh-login.ts'
import { passphraseAnswer } from '../domain/ssh/ssh-passphrase.ts'
import { accountProcedure, nothing, procedure } from './base.ts'

const one = z.object({ instanceId: z.number().int() })

/** The connections that terminals, transfers and forwards share, and what they ask; whoever wants one answers. */
export const connections = {
  /** The connections that were wanted since the start, with where they stand. */
  watch: procedure.output(eventIterator(connectionsList)),
  /** The answer to `unknown-host`; `trust` stores the key that was shown, and no other. */
  answerHostKey: procedure.input(one.extend({ trust: z.boolean(), fingerprint: z.string() })).output(nothing),
  /** The answer to `passphrase`, for the key at `path`; `null` goes on without that key. */
  answerPassphrase: procedure
    .input(one.extend({ path: z.string().max(4096), answer: passphraseAnswer.nullable() }))
    .output(nothing),
  /** The answer to `login`, for the question of this number; `null` ends the attempt. */
  answerLogin: procedure
    .input(one.extend({ questionId: z.int(), answer: loginAnswer.nullable() }))
    .output(nothing),
  /** Forgets the keys that `host-key-changed` named; whoever connects next is asked anew. */
  forgetHostKey: procedure.input(one).output(nothing),
  /** The user has seen why there is no connection (`failed`, `host-key-changed`): it is `idle` then. */
  dismiss: procedure.input(one).output(nothing),
  /** Gives up what is being tried, also while it waits for its next turn: it has `failed` then. */
  stopTrying: procedure.input(one).output(nothing),
  /** How an instance is got to, at once and after every change of what was chosen. */
  watchWay: procedure.input(one).output(eventIterator(instanceWay)),
  /** Holds from the next connection on; of agent forwarding, from now on. */
  choose: accountProcedure.input(one.extend({ choice: sshChoice })).output(nothing),
}
