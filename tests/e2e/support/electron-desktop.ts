import type { ElectronApplication } from '@playwright/test'

/**
 * Stands in for the desktop around a real Electron, in the files in which tests/electron-on-chromium does: nothing is
 * opened, no dialog waits for somebody, and specs read and answer the same way on both hosts.
 */
export async function standInForDesktop(app: ElectronApplication, userData: string): Promise<void> {
  await app.evaluate(({ app: electron, dialog, Menu, Notification, shell }, folder) => {
    const fs = process.getBuiltinModule('node:fs')
    const path = process.getBuiltinModule('node:path')
    const inFolder = (...names: string[]): string => path.join(folder, ...names)
    const made = (name: string): string => {
      fs.mkdirSync(inFolder(name), { recursive: true })
      return inFolder(name)
    }

    shell.openExternal = (url) => {
      fs.appendFileSync(inFolder('opened-links.txt'), `${url}\n`)
      return Promise.resolve()
    }
    electron.getApplicationNameForProtocol = (url) => {
      const file = inFolder('registered-schemes')
      const schemes = fs.existsSync(file) ? fs.readFileSync(file, 'utf8').split('\n') : []
      const scheme = new URL(url).protocol.slice(0, -1)
      return schemes.includes(scheme) ? `${scheme}.desktop` : ''
    }
    Object.assign(dialog, {
      showMessageBox: (...args: readonly { readonly cancelId?: number }[]) =>
        Promise.resolve({ response: args.at(-1)?.cancelId ?? 0, checkboxChecked: false }),
      showSaveDialog: (...args: readonly { readonly defaultPath?: string }[]) => {
        const name = path.basename(args.at(-1)?.defaultPath ?? 'untitled')
        return Promise.resolve({ canceled: false, filePath: path.join(made('saved-files'), name) })
      },
      showOpenDialog: () => {
        const chosen = made('chosen-files')
        const filePaths = fs.readdirSync(chosen).map((name) => path.join(chosen, name))
        return Promise.resolve({ canceled: filePaths.length === 0, filePaths })
      },
    })

    let contextMenu: Electron.Menu | null = null
    Menu.prototype.popup = function popup(this: Electron.Menu) {
      contextMenu = this.items.length > 0 ? this : null
      const items = this.items.flatMap(({ type, label, enabled }) =>
        type === 'separator' ? [] : { label, enabled },
      )
      fs.writeFileSync(inFolder('context-menu.json'), JSON.stringify({ items }))
    }
    fs.watchFile(inFolder('click-context-menu'), { interval: 100 }, () => {
      if (!fs.existsSync(inFolder('click-context-menu'))) return
      const label = fs.readFileSync(inFolder('click-context-menu'), 'utf8').trim()
      const item = contextMenu?.items.find((one) => one.label === label)
      if (item) Reflect.apply(item.click, item, [])
    })

    const shown: Electron.Notification[] = []
    Notification.isSupported = () => true
    Notification.prototype.show = function show(this: Electron.Notification) {
      shown.push(this)
      const { title, body } = this
      fs.appendFileSync(inFolder('notifications.jsonl'), `${JSON.stringify({ title, body })}\n`)
    }
    fs.watchFile(inFolder('click-notification'), { interval: 100 }, () => {
      if (!fs.existsSync(inFolder('click-notification'))) return
      const title = fs.readFileSync(inFolder('click-notification'), 'utf8').trim()
      shown.findLast((one) => one.title === title)?.emit('click')
    })
  }, userData)
}
