import { z } from 'zod'
import type { SshAddress } from '../ssh/ssh.ts'
import { formatHostPort } from '../ssh/network-address.ts'

/** Editors of this computer that open a folder over SSH by a link of their own. */
export const editor = z.enum(['vscode', 'cursor', 'zed', 'gateway'])
export type Editor = z.infer<typeof editor>

export const editorNames: Readonly<Record<Editor, string>> = {
  vscode: 'VS Code',
  cursor: 'Cursor',
  zed: 'Zed',
  gateway: 'JetBrains Gateway',
}

/** What each has registered for its links. */
export const editorSchemes: Readonly<Record<Editor, string>> = {
  vscode: 'vscode',
  cursor: 'cursor',
  zed: 'zed',
  gateway: 'jetbrains-gateway',
}

/** What an editor is told of an instance. */
export interface EditorTarget {
  readonly address: SshAddress
  /** The instance's name in the SSH configuration, which says the rest; `null` when it has none there. */
  readonly alias: string | null
  readonly user: string
  /** The absolute path of what is opened; `null` for the home folder. */
  readonly folder: string | null
}

/**
 * The link that opens a folder of an instance in an editor:
 *
 * - VS Code with Remote – SSH, and Cursor, which is made of it: `<scheme>://vscode-remote/ssh-remote+<host><folder>`;
 * - Zed: `zed://ssh/<host><folder>`;
 * - JetBrains Gateway: `jetbrains-gateway://connect#type=ssh&…`, which fills in its form.
 *
 * Home is root's, which every image has; that of another user isn't known, so it is `/`. It's opened, too, instead of a
 * folder that no link can hold. `null` for an IPv6 address without a name in the SSH configuration: not all of them take
 * its brackets.
 */
export function editorLink(to: Editor, { address, alias, user, folder }: EditorTarget): string | null {
  if (alias === null && address.host.includes(':')) return null
  const home = user === 'root' ? '/root' : '/'
  // What doesn't begin with a slash would go on with the host's name, or its port.
  const wanted = folder?.startsWith('/') === true ? folder : home
  const links = [asFolder(to, wanted), home].map((path) => {
    if (to === 'gateway')
      return `${gateway}&host=${alias ?? address.host}&port=${address.port}&user=${user}&projectPath=${encoded(path)}`
    const host = alias ?? `${user}@${formatHostPort(address.host, address.port)}`
    return `${to === 'zed' ? zed : vscodeRemote(to)}${host}${path.split('/').map(encoded).join('/')}`
  })
  return links.find((link) => isEditorLink(to, link)) ?? null
}

const gateway = `${editorSchemes.gateway}://connect#type=ssh&deploy=false`
const zed = `${editorSchemes.zed}://ssh/`
const vscodeRemote = (to: 'vscode' | 'cursor'): string => `${editorSchemes[to]}://vscode-remote/ssh-remote+`

const target =
  /^(?:[A-Za-z_][\w.-]{0,63}@)?[a-z0-9][a-z0-9.-]{0,252}(?::\d{1,5})?(?:\/(?:[\w.~-]|%[0-9A-F]{2})*)+$/
const gatewayTarget =
  /^&host=[a-z0-9][a-z0-9.-]{0,252}&port=\d{1,5}&user=[A-Za-z_][\w.-]{0,63}&projectPath=%2F(?:[\w.~-]|%[0-9A-F]{2})*$/
const longestLink = 2048

/** VS Code takes a path that ends with a number of a line for a file, and that of a workspace for one: of those its parent. */
function asFolder(to: Editor, path: string): string {
  if (to === 'zed' || to === 'gateway' || !/:\d+$|\.code-workspace$/.test(path)) return path
  return asFolder(to, path.slice(0, path.lastIndexOf('/')) || '/')
}

/** Whether a link is exactly of the form that {@link editorLink} makes: nothing else of the editor may be asked for. */
export function isEditorLink(to: Editor, link: string): boolean {
  if (link.length > longestLink) return false
  const [start, form] =
    to === 'gateway' ? [gateway, gatewayTarget] : [to === 'zed' ? zed : vscodeRemote(to), target]
  if (!link.startsWith(start)) return false
  const rest = link.slice(start.length)
  return form.test(rest) && !/%2E|(?:^|\/|%2F)\.{1,2}(?:\/|%2F|$)/.test(rest)
}

/** What `encodeURIComponent` leaves means something to some shell, and such a one may open the link. */
function encoded(name: string): string {
  return encodeURIComponent(name.toWellFormed()).replaceAll(
    /[!'()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  )
}
