import { z } from 'zod'
import { filters } from '../domain/fields/filter.ts'
import {
  seen,
  seenCloud,
  seenOffers,
  seenTemplates,
  seenTwoFactor,
  seenUser,
} from '../domain/last-seen/last-seen.ts'
import { procedure } from './base.ts'

/**
 * What the service said last, in this run or an earlier one; `null` for nothing. It is shown while the service is asked or
 * silent, each with its age, and nothing is concluded from it.
 */
export const lastSeen = {
  account: procedure.output(seen(seenUser).nullable()),
  twoFactor: procedure.output(seen(seenTwoFactor).nullable()),
  /** Of a search by exactly these filters. */
  templates: procedure.input(z.object({ filters })).output(seen(seenTemplates).nullable()),
  cloud: procedure.output(seen(seenCloud).nullable()),
  /** Of the last search, whatever it was. */
  offers: procedure.output(seen(seenOffers).nullable()),
}
