import { z } from 'zod'

/** What became of a link that another program was to open. */
export const linkOutcome = z.enum([
  'opened',
  /** So it was, with the preferred one of two addresses, neither of which answered. */
  'opened-unanswered',
  /** The instance, or the mapping of the port, is not in the list any more. */
  'gone',
  'no-address',
  /** A link cannot hold an IPv6 address; an entry in the SSH configuration gives it a name. */
  'needs-alias',
  /** The system has no program for it, or would not start it. */
  'no-program',
])
export type LinkOutcome = z.infer<typeof linkOutcome>
