import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/** The least that a host can be given: a window with one line of text, served as Slipway's page is. */
const main = `import { mkdirSync } from 'node:fs'
import { app, BaseWindow, protocol, session, WebContentsView } from 'electron'

// Electron takes no folder that isn't there.
mkdirSync(process.env.SLIPWAY_USER_DATA, { recursive: true })
app.setPath('userData', process.env.SLIPWAY_USER_DATA)
protocol.registerSchemesAsPrivileged([{ scheme: 'app', privileges: { standard: true, secure: true } }])
await app.whenReady()
session.defaultSession.setPermissionCheckHandler(() => false)
session.defaultSession.setPermissionRequestHandler((_contents, _permission, answer) => answer(false))
protocol.handle(
  'app',
  () => new Response('<!doctype html><p>Ready', { headers: { 'content-type': 'text/html' } }),
)
app.on('window-all-closed', () => app.quit())
const window = new BaseWindow({ width: 1280, height: 800 })
const view = new WebContentsView()
window.contentView.addChildView(view)
view.setBounds({ x: 0, y: 0, width: 1280, height: 800 })
view.setVisible(true)
await view.webContents.loadURL('app://bare/')
`

/** Writes it into `folder`, for `launchApp`. */
export async function writeBareApp(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true })
  const manifest = { name: 'bare', productName: 'Bare', version: '1.0.0', type: 'module', main: 'main.js' }
  await writeFile(join(folder, 'package.json'), JSON.stringify(manifest))
  await writeFile(join(folder, 'main.js'), main)
}
