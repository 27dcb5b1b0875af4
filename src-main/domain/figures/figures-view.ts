import { z } from 'zod'
import { connectionFailure } from '../ssh/ssh-connection.ts'
import { figures } from './figures.ts'

/** How an instance's figures come. */
const figuresState = z.discriminatedUnion('kind', [
  /** Nobody asked for them in this run of Slipway, or the user stopped them. */
  z.object({ kind: z.literal('off') }),
  /** It's being connected to, or says nothing yet. */
  z.object({ kind: z.literal('starting') }),
  z.object({ kind: z.literal('live') }),
  z.object({ kind: z.literal('not-connected'), failure: connectionFailure }),
  z.object({
    kind: z.literal('failed'),
    why: z.enum([
      /** The server on the instance opens no further channel. */
      'channel-refused',
      /** The script said nothing for too long, or ended without a line that is one, time and again. */
      'nothing-said',
    ]),
  }),
])
export type FiguresState = z.infer<typeof figuresState>

export const figuresView = z.object({
  state: figuresState,
  /** The last ones that came in this run; `null` before the first. */
  figures: figures.nullable(),
})
export type FiguresView = z.infer<typeof figuresView>
