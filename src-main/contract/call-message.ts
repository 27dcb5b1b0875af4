import { z } from 'zod'

const id = z.string().min(1).max(64)

/**
 * What oRPC's client sends over a port (its serializeRequestMessage): a call, or that a call is left. Nothing else of
 * what its server would take: it has neither files nor streams from the window, and what does not fit would fail in
 * it where nobody catches it, or, as a number, be memory of that size.
 */
export const callMessage = z.union([
  z.strictObject({
    i: id,
    p: z.strictObject({
      u: z
        .string()
        .max(200)
        .regex(/^(\/[A-Za-z]+)+$/),
      b: z
        .strictObject({
          json: z.unknown().optional(),
          meta: z.array(z.array(z.union([z.string(), z.number()]))).optional(),
        })
        .optional(),
    }),
  }),
  z.strictObject({ i: id, t: z.literal(4), p: z.unknown().optional() }),
])
export type CallMessage = z.infer<typeof callMessage>
