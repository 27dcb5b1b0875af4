import { implement } from '@orpc/server'
import { settings as contract } from '../../contract/settings.ts'
import type { SettingsService } from '../../services/settings/open-settings.ts'

const os = implement(contract)

/** The calls of `contract/settings.ts`, answered by the service. */
export function settingsRouter(settings: SettingsService) {
  return os.router({
    watch: os.watch.handler(({ signal }) => settings.preferences.watch(signal)),
    watchFormatLocale: os.watchFormatLocale.handler(({ signal }) => settings.formatLocales(signal)),
    update: os.update.handler(({ input }) => settings.update(input)),
    exportFile: os.exportFile.handler(async () => ({ path: await settings.transfer.save() })),
    previewImport: os.previewImport.handler(({ input }) => settings.transfer.preview(input.text)),
    importFile: os.importFile.handler(({ input }) => settings.transfer.apply(input.text)),
    startAtLogin: os.startAtLogin.handler(() => settings.startAtLogin()),
    setStartAtLogin: os.setStartAtLogin.handler(({ input }) => settings.setStartAtLogin(input.isOn)),
    about: os.about.handler(() => settings.about),
    watchStorageNotices: os.watchStorageNotices.handler(({ signal }) => settings.notices(signal)),
  })
}
