import { implement } from '@orpc/server'
import { offers as contract } from '../../contract/offers.ts'
import { inParts } from '../../contract/parts.ts'
import type { OffersService } from '../../services/offers/open-offers.ts'

const os = implement(contract)

/** The calls of `contract/offers.ts`, answered by the service. */
export function offersRouter(offers: OffersService) {
  return os.router({
    search: os.search.handler(async ({ input, signal }) => inParts(await offers.search(input, signal))),
    watchLists: os.watchLists.handler(({ signal }) => offers.lists.latest.watch(signal)),
    addFavorite: os.addFavorite.handler(({ input }) => offers.lists.mark('favorites', input)),
    removeFavorite: os.removeFavorite.handler(({ input }) => offers.lists.unmark('favorites', input)),
    block: os.block.handler(({ input }) => offers.lists.mark('blocked', input)),
    unblock: os.unblock.handler(({ input }) => offers.lists.unmark('blocked', input)),
    saveSearch: os.saveSearch.handler(async ({ input }) => ({
      id: await offers.lists.saveSearch(input),
    })),
    removeSearch: os.removeSearch.handler(({ input }) => offers.lists.removeSearch(input.id)),
    watches: {
      watch: os.watches.watch.handler(({ signal }) => offers.watches.state.watch(signal)),
      set: os.watches.set.handler(({ input }) => offers.watches.set(input)),
      remove: os.watches.remove.handler(({ input }) => offers.watches.remove(input.searchId)),
      dismissNews: os.watches.dismissNews.handler(({ input }) => offers.watches.dismissNews(input.searchId)),
      watchCourse: os.watches.watchCourse.handler(({ input, signal }) =>
        offers.watches.watchCourse(input.searchId, input.span, signal),
      ),
    },
  })
}
