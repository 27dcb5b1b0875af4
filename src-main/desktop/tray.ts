import { join } from 'node:path'
import { Menu, Tray, type MenuItemConstructorOptions } from 'electron'
import type { App } from '../app/create-app.ts'
import { dueTimeText, traySummaryLines } from '../domain/accounts/tray-summary.ts'

export interface TrayOptions extends Pick<App, 'traySummary' | 'preferences' | 'log'> {
  readonly platform: NodeJS.Platform
  /** The folder with its pictures. */
  readonly pictures: string
  readonly open: () => void
  readonly quit: () => void
  /** The icon is there, or it is gone. */
  readonly shown: (isShown: boolean) => void
}

/**
 * An icon among the system's: what is spent, what runs and what a guard does next, without opening the window. It brings
 * a hidden window back. A desktop without a place for it, as many on Linux, is not an error.
 *
 * Ends when the signal is aborted.
 */
export async function followTray(options: TrayOptions, signal?: AbortSignal): Promise<void> {
  const { traySummary, preferences, log } = options
  const end = new AbortController()
  const stop = AbortSignal.any([end.signal, ...(signal ? [signal] : [])])
  const icon: { tray: Tray | null; lines: string } = { tray: null, lines: '' }

  function update(): void {
    if (!preferences.value.tray) {
      icon.tray?.destroy()
      icon.tray = null
      return options.shown(false)
    }
    const lines = traySummaryLines(traySummary.value, dueTimeText)
    // A menu that is replaced while it is open closes.
    const isSame = icon.lines === lines.join('\n')
    if (icon.tray !== null && isSame) return
    icon.lines = lines.join('\n')
    icon.tray ??= makeTray(options)
    options.shown(true)
    icon.tray.setToolTip(['Slipway', ...lines].join('\n'))
    icon.tray.setContextMenu(Menu.buildFromTemplate(trayTemplate(lines, options)))
  }

  async function follow(changes: Pick<App['traySummary'] | App['preferences'], 'watch'>): Promise<void> {
    for await (const _ of changes.watch(stop)) {
      try {
        update()
      } catch (error) {
        log.warn(`This desktop shows no icon: ${error instanceof Error ? error.message : String(error)}`)
        options.shown(false)
        end.abort()
      }
    }
  }
  await Promise.all([follow(traySummary), follow(preferences)])
  icon.tray?.destroy()
}

function makeTray({ platform, pictures, open }: TrayOptions): Tray {
  // macOS draws a picture named "Template" in the color of its menu bar.
  const tray = new Tray(join(pictures, platform === 'darwin' ? 'trayTemplate.png' : 'tray.png'))
  // On macOS a click opens the menu.
  if (platform !== 'darwin') tray.on('click', open)
  return tray
}

/** What is said is not to be pressed; a label's "&" would mark a key. */
function trayTemplate(
  lines: readonly string[],
  { open, quit }: Pick<TrayOptions, 'open' | 'quit'>,
): MenuItemConstructorOptions[] {
  return [
    ...lines.map((line) => ({ label: line.replaceAll('&', '&&'), enabled: false })),
    { type: 'separator' },
    { label: 'Open Slipway', click: open },
    { label: 'Quit Slipway', click: quit },
  ]
}
