import { clipboard, ClipboardItem, dialog, powerMonitor, type BaseWindow } from 'electron'
import type { AppDependencies } from '../app/dependencies.ts'

type SecretProtection = AppDependencies['secrets']

/**
 * What a clipboard's history looks for before it takes something in: Windows' own (Cloud Clipboard formats), what
 * macOS' clipboard managers agreed on (nspasteboard.org), and KDE's.
 */
const secretMarks: Readonly<Partial<Record<NodeJS.Platform, readonly [format: string, value: string]>>> = {
  win32: ['ExcludeClipboardContentFromMonitorProcessing', '1'],
  darwin: ['org.nspasteboard.ConcealedType', '1'],
  linux: ['x-kde-passwordManagerHint', 'secret'],
}

/** The desktop's part in keeping shown secrets safe. */
export function createSecretProtection({
  platform,
  window,
}: {
  readonly platform: NodeJS.Platform
  /** `null` before there is one. */
  readonly window: () => BaseWindow | null
}): SecretProtection {
  const mark = secretMarks[platform]
  return {
    clipboard: {
      writeSecret: (text) =>
        clipboard.write([
          new ClipboardItem({
            'text/plain': text,
            ...(mark && { [`electron application/osclipboard;format="${mark[0]}"`]: mark[1] }),
          }),
        ]),
      read: () => clipboard.readText(),
      clear: () => clipboard.clear(),
    },
    // Electron has it on these two only.
    protectScreen:
      platform === 'win32' || platform === 'darwin'
        ? (isOn) => {
            const shown = window()
            if (shown && !shown.isDestroyed()) shown.setContentProtection(isOn)
          }
        : null,
    idleMs: () => powerMonitor.getSystemIdleTime() * 1000,
    // The others tell of it. The threshold, in seconds, is for "idle", which is not looked at.
    isLocked: platform === 'linux' ? () => powerMonitor.getSystemIdleState(1) === 'locked' : () => false,
    chooseFile: async (suggestedName) => {
      const options = { defaultPath: suggestedName, properties: ['showOverwriteConfirmation' as const] }
      const parent = window()
      const { canceled, filePath } = parent
        ? await dialog.showSaveDialog(parent, options)
        : await dialog.showSaveDialog(options)
      return canceled || filePath === '' ? null : filePath
    },
  }
}

/**
 * Takes secrets off the screen when nobody may be in front of it any more, as far as the system tells: Linux does not
 * tell of a locked screen, so there `isLocked` above is asked.
 */
export function hideSecretsWhenAway(
  hide: (by: 'suspend' | 'screen-lock') => void,
  platform: NodeJS.Platform,
): void {
  powerMonitor.on('suspend', () => hide('suspend'))
  if (platform !== 'linux') powerMonitor.on('lock-screen', () => hide('screen-lock'))
}
