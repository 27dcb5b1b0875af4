import { implement } from '@orpc/server'
import { lastSeen as contract } from '../../contract/last-seen.ts'
import type { LastSeenService } from '../../services/last-seen/open-last-seen.ts'

const os = implement(contract)

/** The calls of `contract/last-seen.ts`, answered by the service. */
export function lastSeenRouter(lastSeen: LastSeenService) {
  return os.router({
    account: os.account.handler(() => lastSeen.account.find()),
    twoFactor: os.twoFactor.handler(() => lastSeen.twoFactor.find()),
    templates: os.templates.handler(({ input }) => lastSeen.templatesOf(input.filters)),
    cloud: os.cloud.handler(() => lastSeen.cloud.find()),
    offers: os.offers.handler(() => lastSeen.offers.find()),
  })
}
