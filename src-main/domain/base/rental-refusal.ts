import { z } from 'zod'

const instanceId = z.number().int()

/** Why Slipway itself rents nothing. No request to rent or to destroy was sent to the service. */
export const rentalRefusal = z.discriminatedUnion('code', [
  /** The key is to be added, and this computer has none. */
  z.object({ code: z.literal('no-ssh-key') }),
  /** Longer than the service takes, though it was packed. */
  z.object({ code: z.literal('script-too-long'), characters: z.number(), limit: z.number() }),
  z.object({ code: z.literal('retry-running') }),
  /** Of auto-retry: the first offer costs more than its highest price. */
  z.object({ code: z.literal('price-above-highest') }),
  /** Each attempt would create another volume. */
  z.object({ code: z.literal('retry-creates-volume') }),
  /** This search rents automatically already. */
  z.object({ code: z.literal('auto-rent-running') }),
  /** It isn't what the user saw, or isn't watched anymore. */
  z.object({ code: z.literal('search-changed') }),
  /** Each instance would have a volume of its own. */
  z.object({ code: z.literal('auto-rent-creates-volume') }),
  /** A search's prices are of another type than what is rented. */
  z.object({ code: z.literal('auto-rent-other-pricing') }),
  /** While it waited for its turn, what was rented for came to an end. */
  z.object({ code: z.literal('called-off') }),
  /** The rest are about replacing an instance: no offer of the search is within the highest price. */
  z.object({ code: z.literal('no-offer') }),
  /** What the instance was rented with isn't known on this computer anymore. */
  z.object({ code: z.literal('request-unknown') }),
  /** A record of the list can't be read, so it couldn't be told when the instance is gone. */
  z.object({ code: z.literal('list-unreadable') }),
  z.object({ code: z.literal('not-listed'), instanceId }),
  /** The instance isn't in a state that never runs. */
  z.object({ code: z.literal('not-dead'), instanceId }),
])
export type RentalRefusal = z.infer<typeof rentalRefusal>
