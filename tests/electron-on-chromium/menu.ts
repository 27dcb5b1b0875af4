import { readFileSync, statSync, writeFileSync, type FSWatcher } from 'node:fs'
import { join } from 'node:path'
import type Electron from 'electron'
import { app } from './app.ts'
import { setMenuBar } from './base-window.ts'
import { watchFile } from './watched-file.ts'

/** Roles that Electron knows, as far as they are used; another one is a mistake that Electron would tell of, too. */
const roles: Readonly<Partial<Record<NonNullable<Electron.MenuItemConstructorOptions['role']>, string>>> = {
  quit: 'Quit',
  undo: 'Undo',
  redo: 'Redo',
  cut: 'Cut',
  copy: 'Copy',
  paste: 'Paste',
  selectAll: 'Select All',
  minimize: 'Minimize',
  close: 'Close',
  resetZoom: 'Actual Size',
  zoomIn: 'Zoom In',
  zoomOut: 'Zoom Out',
  togglefullscreen: 'Toggle Full Screen',
}

/** An item as it is shown. */
export interface ShownItem {
  readonly label: string
  readonly accelerator: string | null
  readonly enabled: boolean
  readonly submenu: readonly ShownItem[]
}

/** A menu that nobody sees. */
export class DoubleMenu {
  readonly items: readonly Electron.MenuItemConstructorOptions[]

  constructor(items: readonly Electron.MenuItemConstructorOptions[]) {
    this.items = items
  }

  shown(): readonly ShownItem[] {
    return this.items.flatMap((item) => (item.type === 'separator' ? [] : [shownItem(item)]))
  }

  /** Clicks the item at a path of labels. @throws Error when there is none, or it cannot be pressed */
  click([label, ...rest]: readonly string[]): void {
    const item = this.items.find((one) => one.type !== 'separator' && shownItem(one).label === label)
    if (item === undefined) throw new Error(`The menu has no item “${label ?? ''}”`)
    if (rest.length > 0) {
      submenuOf(item).click(rest)
      return
    }
    if (item.enabled === false) throw new Error(`“${label ?? ''}” cannot be pressed`)
    if (item.role === 'quit') app.quit()
    // A driven click comes from no window and no key, which the app does not look at.
    else Reflect.apply(item.click ?? ((): undefined => undefined), undefined, [])
  }

  /** It is written to `context-menu.json` in the data folder; what is written to `click-context-menu` there is clicked. */
  popup(): void {
    showContextMenu(this)
  }

  static buildFromTemplate(template: Electron.MenuItemConstructorOptions[]): DoubleMenu {
    return new DoubleMenu(template)
  }

  /** It is written to `menu.json` in the data folder; what is written to `click-menu` there, labels by `/`, is clicked. */
  static setApplicationMenu(menu: DoubleMenu | null): void {
    applicationMenu = menu
    setMenuBar(menu !== null)
    showMenu('menu.json', menu)
    clicker ??= watchClicks('click-menu', (path) => applicationMenu?.click(path))
  }
}

let applicationMenu: DoubleMenu | null = null
let clicker: FSWatcher | null = null
let contextMenu: DoubleMenu | null = null
let contextClicker: FSWatcher | null = null

function showContextMenu(menu: DoubleMenu): void {
  contextMenu = menu
  showMenu('context-menu.json', menu)
  contextClicker ??= watchClicks('click-context-menu', (path) => contextMenu?.click(path))
}

/** Writes a menu where a test looks. */
export function showMenu(name: string, menu: DoubleMenu | null, more: object = {}): void {
  const text = JSON.stringify({ ...more, items: menu?.shown() ?? null })
  writeFileSync(join(app.getPath('userData'), name), text)
}

/** Clicks what a test writes into a file of the data folder. */
export function watchClicks(name: string, click: (path: readonly string[]) => void): FSWatcher {
  const folder = app.getPath('userData')
  const file = join(folder, name)
  let clickedAt: bigint | null = null
  return watchFile(folder, name, () => {
    const path = readFileSync(file, 'utf8').trim()
    const { mtimeNs } = statSync(file, { bigint: true })
    // A write is told of more than once: when the file is emptied, and when it is filled.
    if (path === '' || mtimeNs === clickedAt) return
    clickedAt = mtimeNs
    click(path.split('/'))
  })
}

function submenuOf({ submenu }: Electron.MenuItemConstructorOptions): DoubleMenu {
  return new DoubleMenu(Array.isArray(submenu) ? submenu : [])
}

function shownItem(item: Electron.MenuItemConstructorOptions): ShownItem {
  const label = item.label ?? (item.role === undefined ? undefined : roles[item.role])
  if (label === undefined) throw new Error(`A menu item has no label and no known role: ${item.role ?? ''}`)
  return {
    label,
    accelerator: typeof item.accelerator === 'string' ? item.accelerator : null,
    enabled: item.enabled ?? true,
    submenu: submenuOf(item).shown(),
  }
}
