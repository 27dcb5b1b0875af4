import { z } from 'zod'

/**
 * A proxy of the system's settings that lets nobody through without a name and a password. Nothing of what it says of
 * itself is in here: its address is the system's word.
 */
export const proxyQuestion = z.object({
  /** Another one for each time that it asks. */
  id: z.int(),
  host: z.string(),
  port: z.int(),
  /** It has refused the name and password before. */
  wasRefused: z.boolean(),
  /** The password crosses the way to it as it is. */
  isInTheClear: z.boolean(),
})
export type ProxyQuestion = z.infer<typeof proxyQuestion>

/** Bounds: no proxy takes more in a header. */
export const proxyLogin = z.object({ name: z.string().min(1).max(256), password: z.string().max(1024) })
export type ProxyLogin = z.infer<typeof proxyLogin>
