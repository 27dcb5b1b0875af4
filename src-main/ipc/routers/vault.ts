import { implement } from '@orpc/server'
import { vault as contract } from '../../contract/vault.ts'
import type { VaultService } from '../../services/vault/open-vault.ts'
import type { VaultDesk } from '../../services/vault/vault-desk.ts'

const os = implement(contract)

/** The calls of `contract/vault.ts`, answered by the vault as one account's page sees it. */
export function vaultRouter({
  desk,
  screen,
  transfer,
  ...vault
}: VaultService & { readonly desk: VaultDesk }) {
  return os.router({
    watch: os.watch.handler(({ signal }) => desk.view.watch(signal)),
    watchCodes: os.watchCodes.handler(({ signal }) => desk.watchCodes(signal)),
    watchScreen: os.watchScreen.handler(({ signal }) => screen.watch(signal)),
    hide: os.hide.handler(() => screen.hide('asked')),
    show: os.show.handler(() => screen.show()),
    addUri: os.addUri.handler(({ input }) => desk.addUri(input.uri, input.keepIn)),
    addKey: os.addKey.handler(({ input }) => desk.addKey(input)),
    renameEntry: os.renameEntry.handler(({ input: { id, ...names } }) =>
      vault.totp.rename(desk.own(id), names),
    ),
    removeEntry: os.removeEntry.handler(({ input }) =>
      vault.totp.remove(desk.own(input.id), input.evenIfActive),
    ),
    keepEntry: os.keepEntry.handler(({ input }) => vault.totp.keep(desk.own(input.id))),
    copyCode: os.copyCode.handler(({ input }) => desk.copyCode(desk.own(input.id))),
    revealEntry: os.revealEntry.handler(({ input, signal }) => desk.revealEntry(desk.own(input.id), signal)),
    addBackupCodes: os.addBackupCodes.handler(({ input }) => desk.addBackupCodes(input.text, input.keepIn)),
    revealBackupCodes: os.revealBackupCodes.handler(({ input, signal }) =>
      desk.revealBackupCodes(desk.own(input.id), signal),
    ),
    copyBackupCode: os.copyBackupCode.handler(({ input }) =>
      desk.copyBackupCode(desk.own(input.id), input.position),
    ),
    copyBackupCodes: os.copyBackupCodes.handler(({ input }) => desk.copyBackupCodes(desk.own(input.id))),
    saveBackupCodes: os.saveBackupCodes.handler(({ input }) => desk.saveBackupCodes(desk.own(input.id))),
    markBackupCode: os.markBackupCode.handler(({ input }) =>
      vault.backupCodes.markAt(desk.own(input.id), input.position, input.state),
    ),
    markBackupCodesSaved: os.markBackupCodesSaved.handler(({ input }) =>
      vault.backupCodes.markSaved(desk.own(input.id), input.by),
    ),
    keepBackupCodes: os.keepBackupCodes.handler(({ input }) => vault.backupCodes.keep(desk.own(input.id))),
    removeBackupCodes: os.removeBackupCodes.handler(({ input }) =>
      vault.backupCodes.remove(desk.own(input.id)),
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
