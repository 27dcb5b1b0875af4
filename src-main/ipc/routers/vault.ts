import { implement } from '@orpc/server'
import { vault as contract } from '../../contract/vault.ts'
import type { VaultService } from '../../services/vault/open-vault.ts'
import type { AccountVault } from '../../services/vault/account-vault.ts'

const os = implement(contract)

/** The calls of `contract/vault.ts`, answered by the vault as one account's page sees it. */
export function vaultRouter({
  accountVault,
  screen,
  transfer,
  ...vault
}: VaultService & { readonly accountVault: AccountVault }) {
  return os.router({
    watch: os.watch.handler(({ signal }) => accountVault.view.watch(signal)),
    watchCodes: os.watchCodes.handler(({ signal }) => accountVault.watchCodes(signal)),
    watchScreen: os.watchScreen.handler(({ signal }) => screen.watch(signal)),
    hide: os.hide.handler(() => screen.hide('asked')),
    show: os.show.handler(() => screen.show()),
    addUri: os.addUri.handler(({ input }) => accountVault.addUri(input.uri, input.keepIn)),
    addKey: os.addKey.handler(({ input }) => accountVault.addKey(input)),
    renameEntry: os.renameEntry.handler(({ input: { id, ...names } }) =>
      vault.totp.rename(accountVault.own(id), names),
    ),
    removeEntry: os.removeEntry.handler(({ input }) =>
      vault.totp.remove(accountVault.own(input.id), input.evenIfActive),
    ),
    keepEntry: os.keepEntry.handler(({ input }) => vault.totp.keep(accountVault.own(input.id))),
    copyCode: os.copyCode.handler(({ input }) => accountVault.copyCode(accountVault.own(input.id))),
    revealEntry: os.revealEntry.handler(({ input, signal }) =>
      accountVault.revealEntry(accountVault.own(input.id), signal),
    ),
    addBackupCodes: os.addBackupCodes.handler(({ input }) =>
      accountVault.addBackupCodes(input.text, input.keepIn),
    ),
    revealBackupCodes: os.revealBackupCodes.handler(({ input, signal }) =>
      accountVault.revealBackupCodes(accountVault.own(input.id), signal),
    ),
    copyBackupCode: os.copyBackupCode.handler(({ input }) =>
      accountVault.copyBackupCode(accountVault.own(input.id), input.position),
    ),
    copyBackupCodes: os.copyBackupCodes.handler(({ input }) =>
      accountVault.copyBackupCodes(accountVault.own(input.id)),
    ),
    saveBackupCodes: os.saveBackupCodes.handler(({ input }) =>
      accountVault.saveBackupCodes(accountVault.own(input.id)),
    ),
    markBackupCode: os.markBackupCode.handler(({ input }) =>
      vault.backupCodes.markAt(accountVault.own(input.id), input.position, input.state),
    ),
    markBackupCodesSaved: os.markBackupCodesSaved.handler(({ input }) =>
      vault.backupCodes.markSaved(accountVault.own(input.id), input.by),
    ),
    keepBackupCodes: os.keepBackupCodes.handler(({ input }) =>
      vault.backupCodes.keep(accountVault.own(input.id)),
    ),
    removeBackupCodes: os.removeBackupCodes.handler(({ input }) =>
      vault.backupCodes.remove(accountVault.own(input.id)),
    ),
    revealInstanceKey: os.revealInstanceKey.handler(({ input, signal }) =>
      accountVault.revealInstanceKey(input.instanceId, signal),
    ),
    copyInstanceKey: os.copyInstanceKey.handler(({ input }) =>
      accountVault.copyInstanceKey(input.instanceId),
    ),
    copyUnsavedKey: os.copyUnsavedKey.handler(({ input }) => accountVault.copyUnsavedKey(input.key)),
    removeInstanceKey: os.removeInstanceKey.handler(({ input }) =>
      accountVault.removeInstanceKey(input.instanceId),
    ),
    exportEncrypted: os.exportEncrypted.handler(({ input }) => transfer.exportEncrypted(input.passphrase)),
    exportPlain: os.exportPlain.handler(() => transfer.exportPlain()),
    testExport: os.testExport.handler(({ input }) => transfer.testExport(input.text, input.passphrase)),
    importText: os.importText.handler(({ input }) =>
      transfer.importText(input.text, input.passphrase, input.keepIn),
    ),
    keychain: {
      watch: os.keychain.watch.handler(({ signal }) => vault.state.watch(signal)),
      check: os.keychain.check.handler(async () => {
        await vault.check()
      }),
    },
  })
}
