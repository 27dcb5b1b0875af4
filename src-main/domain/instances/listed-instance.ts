import { z } from 'zod'
import { instancesSnapshot, watchedInstance } from './instance.ts'

/** What the user wrote about an instance. Kept on this machine; the service never gets it. Empty for nothing. */
export const labelNote = z.object({
  label: z.string().trim().max(80),
  note: z.string().trim().max(4000),
})
export type LabelNote = z.infer<typeof labelNote>

export const noLabelNote: LabelNote = { label: '', note: '' }

/** An instance as the window lists it: as it is watched, with what the user wrote about it. */
const listedInstance = watchedInstance.extend({ own: labelNote.optional() })
export type ListedInstance = z.infer<typeof listedInstance>

/** The list that the window shows. */
export const instancesList = instancesSnapshot.extend({
  instances: z.array(listedInstance).readonly().nullable(),
  /**
   * The service has not answered in this run: the list is the one that was last known when Slipway quit, as of
   * `fetchedAt`. Nothing may be concluded from it; SSH tries its addresses, and believes host keys only.
   */
  isRemembered: z.boolean(),
})
export type InstancesList = z.infer<typeof instancesList>
