import { implement } from '@orpc/server'
import { accounts as contract } from '../../contract/accounts.ts'
import type { AccountKey } from '../../services/accounts/account-key.ts'
import type { KeyPermissionsService } from '../../services/accounts/key-permissions.ts'
import type { SeenAccounts } from '../../services/accounts/opened-account.ts'

const os = implement(contract)

/** The key of an account, as its page has it. */
interface KeyServices extends Pick<AccountKey, 'state' | 'replaceKey' | 'check'> {
  readonly permissions: KeyPermissionsService
}

/** The calls of `contract/accounts.ts`, answered by the services. @param accounts all of them, as a page sees them */
export function accountsRouter(accounts: SeenAccounts, key: KeyServices) {
  return os.router({
    watch: os.watch.handler(({ signal }) => accounts.watch(signal)),
    show: os.show.handler(({ input }) => accounts.show(input.id)),
    add: os.add.handler(() => accounts.add()),
    describe: os.describe.handler(({ input }) => accounts.describe(input.id, input.words)),
    signOutEffects: os.signOutEffects.handler(() => accounts.signOutEffects()),
    signOut: os.signOut.handler(() => accounts.signOut()),
    openInstance: os.openInstance.handler(({ input }) => accounts.openInstance(input.account, input.id)),
    connect: os.connect.handler(({ input }) => accounts.connect(input)),
    key: {
      watch: os.key.watch.handler(({ signal }) => key.state.watch(signal)),
      replace: os.key.replace.handler(({ input }) => key.replaceKey(input)),
      check: os.key.check.handler(() => key.check()),
      permissions: os.key.permissions.handler(({ signal }) => key.permissions.ask(signal)),
    },
  })
}
