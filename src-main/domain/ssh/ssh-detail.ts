import { z } from 'zod'

/** What Slipway itself has seen of a failure, where there is no more to say than which. */
export const plainReason = z.enum([
  'name-not-found',
  'no-route',
  /** The service, which knows the address, didn't answer; or it gave none. */
  'service-silent',
  'no-address',
  'closed-before-ssh',
  'no-ssh-greeting',
  'bad-host-key',
  'reset',
  'closed',
  'closed-at-login',
  'closed-after-login',
  'jump-host-lost',
  'files-ended',
  /** From here on, of a host that breaks the protocol. */
  'unreadable-message',
  'too-much-data',
  'too-much-allowed',
  'odd-channel',
  'too-many-messages',
  'answers-unread',
])
export type PlainReason = z.infer<typeof plainReason>

/** What Slipway itself has seen of a failure, for the window to word. */
const sshReason = z.discriminatedUnion('code', [
  z.object({ code: plainReason }),
  z.object({ code: z.literal('silent'), seconds: z.number() }),
  /** The host takes only packets that are too small. */
  z.object({ code: z.literal('small-packets'), bytes: z.number() }),
  /** An error that nobody foresaw; the log has it under this id. */
  z.object({ code: z.literal('fault'), logId: z.string() }),
  /** More than `most`, or in a circle. */
  z.object({ code: z.literal('too-many-jump-hosts'), most: z.number(), hosts: z.string() }),
  z.object({ code: z.literal('unreadable-proxy-jump'), text: z.string() }),
])
export type SshReason = z.infer<typeof sshReason>

/** What more is known of a failure: the words of the host or of the system, or what Slipway has seen. */
export const sshDetail = z.union([z.string(), sshReason])
export type SshDetail = z.infer<typeof sshDetail>
