import { eventIterator } from '@orpc/contract'
import { z } from 'zod'
import { identityFilePath } from '../domain/settings/settings.ts'
import { knownHostsPreview } from '../domain/ssh/known-hosts-import.ts'
import { instanceRoute, sshChoice } from '../domain/ssh/ssh-choice.ts'
import { sshConfigState } from '../domain/ssh/ssh-config.ts'
import { addressHintsById } from '../domain/ssh/ssh-address.ts'
import { connectionsList } from '../domain/ssh/ssh-connection.ts'
import { publicKey, sshAccess } from '../domain/ssh/ssh-key.ts'
import { hostLogin, loginAnswer } from '../domain/ssh/ssh-login.ts'
import { passphraseAnswer } from '../domain/ssh/ssh-passphrase.ts'
import { accountProcedure, nothing, procedure } from './base.ts'

const one = z.object({ instanceId: z.number().int() })
const file = z.object({ path: identityFilePath })

/** How instances are logged in to. */
export const ssh = {
  /** The connections that terminals, transfers and forwards share, and what they ask; whoever wants one answers. */
  connections: {
    /** The connections that were wanted since the start, with where they stand. */
    watch: procedure.output(eventIterator(connectionsList)),
    /** The answer to `unknown-host`; `trust` stores the key that was shown, and no other. */
    answerHostKey: procedure
      .input(one.extend({ trust: z.boolean(), fingerprint: z.string() }))
      .output(nothing),
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
    watchRoute: procedure.input(one).output(eventIterator(instanceRoute)),
    /** What decides which address of a listed instance is tried first: see `shownAddress`. */
    watchAddressHints: procedure.output(eventIterator(addressHintsById)),
    /** Holds from the next connection on; of agent forwarding, from now on. */
    choose: accountProcedure.input(one.extend({ choice: sshChoice })).output(nothing),
  },
  keys: {
    watch: procedure.output(eventIterator(sshAccess)),
    /** Makes an Ed25519 key; its private part goes to the keychain. The key made before is returned if there is one. */
    create: procedure.output(publicKey),
    /** A private key file to log in with, tried after those before it. One that cannot be used is `invalid-input`. */
    addIdentityFile: procedure.input(file).output(nothing),
    /** What was kept for it is forgotten, too. */
    removeIdentityFile: procedure.input(file).output(nothing),
    /** Takes a file's passphrase out of the keychain; it is asked for at the next login. */
    forgetPassphrase: procedure.input(file).output(nothing),
    /** It is asked for at the next login. */
    forgetHostPassword: procedure.input(hostLogin).output(nothing),
    /** Looks at the files again. */
    refresh: procedure.output(nothing),
  },
  config: {
    watch: procedure.output(eventIterator(sshConfigState)),
    /** Adds one line to the user's own SSH configuration, or takes it out. */
    setIncluded: procedure.input(z.object({ included: z.boolean() })).output(nothing),
  },
  /** Keys of the user's own known_hosts for Slipway's; nothing is taken over unasked. */
  knownHosts: {
    preview: procedure.output(knownHostsPreview),
    /** Takes over what `preview` showed as new. `invalid-input` when the file is another one by now. */
    take: procedure.input(z.object({ digest: z.string() })).output(z.object({ taken: z.number().int() })),
  },
}
