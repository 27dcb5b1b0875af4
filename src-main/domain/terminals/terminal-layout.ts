import { z } from 'zod'

const id = z.string().min(1).max(100)

/** Names one terminal for good, also over a restart. */
export const terminalKey = z.string().regex(/^[\da-z-]{1,64}$/)

const group = z
  .object({
    kind: z.literal('group'),
    id,
    /** In the order of their tabs. */
    keys: z.array(terminalKey).readonly(),
    /** The one in front. */
    shown: terminalKey,
  })
  .refine(({ keys, shown }) => keys.includes(shown), 'the one in front is none of its terminals')
export type Group = z.infer<typeof group>

/** `row`: side by side. */
const direction = z.enum(['row', 'column'])
export type Direction = z.infer<typeof direction>

export interface Split {
  readonly kind: 'split'
  readonly id: string
  readonly direction: Direction
  readonly parts: readonly Layout[]
  /** Of the parts, in percent of the room. */
  readonly sizes: readonly number[]
}

/**
 * How terminals share the page: groups with tabs, side by side or one above the other, at any depth. Each
 * terminal stands in exactly one group, no group is empty, and a split has at least two parts.
 */
export type Layout = Group | Split

export const layout: z.ZodType<Layout> = z.lazy(() =>
  z.union([
    group,
    z
      .object({
        kind: z.literal('split'),
        id,
        direction,
        parts: z.array(layout).min(2).readonly(),
        sizes: z.array(z.number().min(0).max(100)).readonly(),
      })
      .refine(({ parts, sizes }) => parts.length === sizes.length, 'not every part has a size'),
  ]),
)
