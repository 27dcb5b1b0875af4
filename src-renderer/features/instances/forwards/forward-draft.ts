import { z } from 'zod'
import { formatHostPort } from '#domain/ssh/network-address.ts'
import { forwardName, forwardPlan, type Forward } from '#domain/forwards/forward.ts'

/**
 * What is typed for a forward: `port` is where it listens, `to` where it leads: `8888`, which means that port of the
 * instance itself, or `host:8888`.
 */
export type ForwardDraft = z.input<typeof forwardDraft>

/** What would be typed for a forward that is there. */
export function draftOf({ plan, name }: Pick<Forward, 'plan' | 'name'>): ForwardDraft {
  const { kind, entrance } = plan
  return {
    kind,
    name,
    port: String(entrance.port),
    to: plan.kind === 'dynamic' ? '' : formatHostPort(plan.to.host, plan.to.port),
    isForNetwork: entrance.reach === 'network',
  }
}

/** The forward that a draft asks for, or what is wrong with it. */
export const forwardDraft = z
  .object({
    kind: z.enum(['local', 'remote', 'dynamic']),
    name: z.string(),
    port: z.string(),
    to: z.string(),
    isForNetwork: z.boolean(),
  })
  .transform(({ kind, name, port, to, isForNetwork }, context): Pick<Forward, 'plan' | 'name'> => {
    const named = forwardName.safeParse(name)
    if (!named.success)
      context.addIssue({
        code: 'custom',
        path: ['name'],
        message: 'Enter at most 40 characters on one line.',
      })
    const entrance = { port: portOf(port), reach: isForNetwork ? 'network' : 'loopback' }
    const parsed = forwardPlan.safeParse(
      kind === 'dynamic' ? { kind, entrance } : { kind, entrance, to: placeOf(to) },
    )
    if (parsed.success && named.success) return { plan: parsed.data, name: named.data }
    if (parsed.success) return z.NEVER
    const isPort = parsed.error.issues.some(({ path }) => path[0] === 'entrance')
    context.addIssue({
      code: 'custom',
      path: [isPort ? 'port' : 'to'],
      message: isPort
        ? 'Enter a port from 1 to 65535.'
        : 'Enter a port, or a host and port: 8888 or 10.0.0.5:8888.',
    })
    return z.NEVER
  })

function placeOf(text: string): { readonly host: string; readonly port: number } {
  const colon = text.lastIndexOf(':')
  const host = colon === -1 ? '' : text.slice(0, colon).trim()
  return { host: host.replace(/^\[(.*)\]$/, '$1') || 'localhost', port: portOf(text.slice(colon + 1)) }
}

function portOf(text: string): number {
  return /^\s*\d+\s*$/.test(text) ? Number(text) : Number.NaN
}
