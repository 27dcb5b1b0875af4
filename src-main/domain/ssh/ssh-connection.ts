import { z } from 'zod'
import type { NamedSchema, NamedUnion } from '../base/named.ts'
import { againstInstance, formerTenant } from './instance-host-keys.ts'
import { loginQuestion } from './ssh-login.ts'
import { keyQuestion } from './ssh-passphrase.ts'
import { hostKey, somewhere, sshAddress, sshProblem } from './ssh.ts'

/** A host key that known_hosts holds, and in which of its lines, counted from 1. */
const storedHostKey = hostKey.extend({ line: z.number().int() })

/** What a connection came to that could not be made, or that is gone for good. */
export const connectionFailure = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('failed'), problem: sshProblem, address: sshAddress.nullable() }),
  /** Refused. `line` is the 1-based line of `file` that holds the key trusted before. */
  z.object({
    kind: z.literal('host-key-changed'),
    ...somewhere,
    address: sshAddress,
    offered: hostKey,
    trusted: z.array(storedHostKey).readonly(),
    file: z.string(),
    /** The stored line is marked @revoked: the key must never be accepted. */
    revoked: z.boolean(),
    /** It is an instance that has shown other keys, wherever that was. */
    ofInstance: againstInstance.optional(),
  }),
])
export type ConnectionFailure = z.infer<typeof connectionFailure>

export const connecting = z.object({ kind: z.literal('connecting'), ...somewhere })

/** What speaks against a key that nothing is remembered of, besides that it is new. */
const hostKeyDoubts = z.object({
  /** The address is known with another key, which takes its leave when this one is trusted. */
  formerly: formerTenant.optional(),
  /** known_hosts has this very key for the address, but not as this instance's; `keyOf`: the instance that is known by it. */
  listed: z.object({ keyOf: z.int().nullable() }).optional(),
  /** Other keys in known_hosts at the instance's other address, which it isn't remembered to have shown. They stay. */
  stored: z.object({ address: sshAddress, keys: z.array(storedHostKey).readonly() }).optional(),
})
export type HostKeyDoubts = z.infer<typeof hostKeyDoubts>

/** Asked once per unknown host; nothing is sent to it before the answer. */
export const unknownHost = z.object({
  kind: z.literal('unknown-host'),
  ...somewhere,
  address: sshAddress,
  offered: hostKey,
  ...hostKeyDoubts.shape,
  /** Other addresses of the instance, at which this key is trusted without a question once it was logged in to with it. */
  alsoAt: z.array(sshAddress).readonly().optional(),
})

/** Where the one connection to an instance stands, which its shells, transfers and forwards share. */
const anyConnectionState = z.discriminatedUnion('kind', [
  /** Nothing needs it. */
  z.object({ kind: z.literal('idle') }),
  connecting,
  unknownHost,
  /** Asked before a locked key is used for the login. */
  z.object({ kind: z.literal('passphrase'), ...somewhere, address: sshAddress, key: keyQuestion }),
  /** Asked where keys do not do: a password, or what the host wants to know. */
  z.object({ kind: z.literal('login'), ...somewhere, address: sshAddress, question: loginQuestion }),
  z.object({
    kind: z.literal('open'),
    address: sshAddress,
    user: z.string(),
    /** The jump hosts that it goes through, as for `ssh -J`. */
    through: z.string().optional(),
    /** It showed the key that it had before, at an address that was not known; nobody was asked. */
    isNewAddress: z.literal(true).optional(),
    /** There and back; `null` until it was measured. */
    latencyMs: z.number().nullable(),
    /** Since when (milliseconds since the Unix epoch) the machine owes an answer; `null` while it answers. */
    silentSince: z.number().nullable(),
  }),
  /** It is gone, and is tried again at `retryAt` (milliseconds since the Unix epoch). */
  z.object({
    kind: z.literal('waiting'),
    problem: sshProblem,
    address: sshAddress.nullable(),
    retryAt: z.number(),
    /** Which try that will be, since the connection last stood for long; from 1. */
    nextTry: z.int(),
  }),
  ...connectionFailure.options,
])
export type ConnectionState = NamedUnion<z.infer<typeof anyConnectionState>>
const connectionState: NamedSchema<ConnectionState> = anyConnectionState

/** The connection to one instance. */
const instanceConnection = z.object({
  instanceId: z.number().int(),
  state: connectionState,
  /** The address is the last known one, as the service couldn't be asked: when it told it, ms since the epoch. */
  addressAsOf: z.number().optional(),
})
export const connectionsList = z.array(instanceConnection).readonly()
export type ConnectionsList = z.infer<typeof connectionsList>
