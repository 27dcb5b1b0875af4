import { formatHostPort } from '#domain/ssh/network-address.ts'
import { forwardPlan, type ForwardPlan } from '#domain/forwards/forward.ts'

/** What is typed for a forward. */
export interface ForwardDraft {
  readonly kind: ForwardPlan['kind']
  /** Where it listens. */
  readonly port: string
  /** Where it leads: `8888`, which means that port of the machine itself, or `host:8888`. */
  readonly to: string
  readonly isForNetwork: boolean
}

/** What would be typed for a forward that is there. */
export function draftOf(plan: ForwardPlan): ForwardDraft {
  const { kind, entrance } = plan
  return {
    kind,
    port: String(entrance.port),
    to: plan.kind === 'dynamic' ? '' : formatHostPort(plan.to.host, plan.to.port),
    isForNetwork: entrance.reach === 'network',
  }
}

export type CheckedDraft =
  | { readonly ok: true; readonly plan: ForwardPlan }
  | { readonly ok: false; readonly field: 'port' | 'to'; readonly why: string }

/** The forward that a draft asks for, or what is wrong with it. */
export function planOf({ kind, port, to, isForNetwork }: ForwardDraft): CheckedDraft {
  const entrance = { port: portOf(port), reach: isForNetwork ? 'network' : 'loopback' }
  const parsed = forwardPlan.safeParse(
    kind === 'dynamic' ? { kind, entrance } : { kind, entrance, to: placeOf(to) },
  )
  if (parsed.success) return { ok: true, plan: parsed.data }
  return parsed.error.issues.some(({ path }) => path[0] === 'entrance')
    ? { ok: false, field: 'port', why: 'A port from 1 to 65535.' }
    : { ok: false, field: 'to', why: 'A port, or a host and a port: 8888 or 10.0.0.5:8888.' }
}

function placeOf(text: string): { readonly host: string; readonly port: number } {
  const colon = text.lastIndexOf(':')
  const host = colon === -1 ? '' : text.slice(0, colon).trim()
  return { host: host.replace(/^\[(.*)\]$/, '$1') || 'localhost', port: portOf(text.slice(colon + 1)) }
}

function portOf(text: string): number {
  return /^\s*\d+\s*$/.test(text) ? Number(text) : Number.NaN
}
