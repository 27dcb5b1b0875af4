import { z } from 'zod'
import { stepToOwnEntries } from '../base/file-version.ts'
import { connectionFailure } from '../ssh/ssh-connection.ts'

const port = z.number().int().min(1).max(65_535)
/** A host as the other end resolves it: a name or an address, without anything that could be more than that. */
const host = z
  .string()
  .max(253)
  .regex(/^[A-Za-z0-9:]([A-Za-z0-9.:_-]*[A-Za-z0-9])?$/, 'This isn’t a host name or address.')
const place = z.object({ host, port })
/** Where it listens. Only where it runs, unless the user wants the network around it to reach it, too. */
const entrance = z.object({ port, reach: z.enum(['loopback', 'network']) })

/** A way for TCP connections through the SSH connection to an instance (RFC 4254 section 7). */
export const forwardPlan = z.discriminatedUnion('kind', [
  /** Listens on this computer; `to` is as the instance sees it. */
  z.object({ kind: z.literal('local'), entrance, to: place }),
  /** Listens on the instance; `to` is as this computer sees it. */
  z.object({ kind: z.literal('remote'), entrance, to: place }),
  /** A SOCKS 5 proxy on this computer: whoever connects says where to, as the instance sees it. */
  z.object({ kind: z.literal('dynamic'), entrance }),
])
export type ForwardPlan = z.infer<typeof forwardPlan>
export type ForwardEntrance = z.infer<typeof entrance>
export type ForwardTarget = z.infer<typeof place>

/** Why a forward does not work although the user started it. */
const forwardProblem = z.discriminatedUnion('kind', [
  /** On this computer. `free` is the next port above that could be had; `null` when there is none near. */
  z.object({ kind: z.literal('port-in-use'), port, free: port.nullable() }),
  /** On this computer: ports below 1024 belong to the system. */
  z.object({ kind: z.literal('port-not-allowed'), port }),
  z.object({ kind: z.literal('cannot-listen'), detail: z.string() }),
  /** The instance does not listen: the port is in use there, or its SSH server forbids it. */
  z.object({ kind: z.literal('refused-there'), port }),
  z.object({ kind: z.literal('no-connection'), failure: connectionFailure }),
])
export type ForwardProblem = z.infer<typeof forwardProblem>

/** Why the last connection through a forward came to nothing, while the forward itself stands. */
const forwardRefusal = z.enum(['nothing-listens', 'forbidden', 'out-of-channels', 'other'])
export type ForwardRefusal = z.infer<typeof forwardRefusal>

const forwardState = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('stopped') }),
  z.object({ kind: z.literal('connecting') }),
  /** `refusal` until a connection gets through again. */
  z.object({ kind: z.literal('open'), refusal: forwardRefusal.nullable() }),
  /** The connection to the instance is lost; it comes back with it, by itself. */
  z.object({ kind: z.literal('reconnecting') }),
  z.object({ kind: z.literal('failed'), problem: forwardProblem }),
])
export type ForwardState = z.infer<typeof forwardState>

/** What went through since Slipway started, seen from this computer, in bytes; and connections that stand now. */
const forwardTraffic = z.object({
  sentBytes: z.number(),
  receivedBytes: z.number(),
  connections: z.number().int(),
})
export type ForwardTraffic = z.infer<typeof forwardTraffic>

/** What the user calls it; empty where what is known of it has to do (`forward-name.ts`). */
export const forwardName = z
  .string()
  .trim()
  .max(40)
  .regex(/^\P{C}*$/u)

export const forward = z.object({
  id: z.string(),
  instanceId: z.number().int(),
  plan: forwardPlan,
  name: forwardName,
  /** It leads to a Jupyter server, as the instance's own files about those say. */
  isJupyter: z.boolean(),
  /** Where browsers of this computer reach it while it listens, as `tensorboard-7.localhost`; `null` for other kinds. */
  browserHost: z.string().nullable(),
  state: forwardState,
  traffic: forwardTraffic,
})
export type Forward = z.infer<typeof forward>

/** What is kept on disk of a forward. */
const keptForward = z.object({
  id: z.string(),
  instanceId: z.number().int(),
  plan: forwardPlan,
  name: forwardName.default(''),
  isJupyter: z.boolean().default(false),
  /** It was on when Slipway ended, and comes back at the next start. */
  isOn: z.boolean(),
})
export type KeptForward = z.infer<typeof keptForward>
export const forwardsFile = {
  schema: z.array(keptForward).readonly(),
  steps: [stepToOwnEntries],
  fallback: [],
}

/** Beyond it none is added. */
export const mostForwardsPerInstance = 50

/** Where the two would want to listen both. */
export function isSameEntrance(one: ForwardPlan, other: ForwardPlan): boolean {
  return one.entrance.port === other.entrance.port && (one.kind === 'remote') === (other.kind === 'remote')
}

/** A port of the instance itself, on the same port of this computer where that isn't the system's. */
export function planForPort(port: number): ForwardPlan {
  return {
    kind: 'local',
    entrance: { port: Math.max(port, 1024), reach: 'loopback' },
    to: { host: 'localhost', port },
  }
}

/** The port of the instance itself that a forward leads to; `null` when it leads elsewhere. */
export function instancePortOf(plan: ForwardPlan): number | null {
  return plan.kind === 'local' && ['localhost', '127.0.0.1', '::1'].includes(plan.to.host)
    ? plan.to.port
    : null
}
