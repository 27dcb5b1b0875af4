import { z } from 'zod'

/** Why an auto-stop rule isn't added: it could never act, or would act at once. */
export const guardRefusal = z.discriminatedUnion('code', [
  z.object({
    code: z.enum([
      'not-listed',
      /** Its time has passed. */
      'past',
      /** It would stop an instance that doesn't run. */
      'not-running',
      /** The service names no price or no start. */
      'cost-unknown',
      /** The instance has cost more already. */
      'cost-reached',
      /** Another one of the instance does the same on the same grounds, so only the stricter one would ever act. */
      'repeated',
      /** It would stop the instance after another one has destroyed it, or the other way around. */
      'destroyed-before',
      /** It would destroy the instance at a cost that it doesn't reach once another one has stopped it. */
      'stopped-before',
      /** A stopped instance can't see to it by itself. */
      'only-in-slipway',
      /** Slipway sees nothing of an instance's processes. */
      'only-on-instance',
    ]),
  }),
  /** The instance has as many as it may. */
  z.object({ code: z.literal('too-many'), most: z.number() }),
])
export type GuardRefusal = z.infer<typeof guardRefusal>
