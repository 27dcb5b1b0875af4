import { z } from 'zod'

/** What a handed port is for. */
export const portRequest = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('calls') }),
  z.object({ kind: z.literal('terminal'), terminalId: z.string().min(1).max(64) }),
])
export type PortRequest = z.infer<typeof portRequest>

/** The page's own address; main serves it and accepts ports from nowhere else. */
export const pageOrigin = 'app://slipway'
