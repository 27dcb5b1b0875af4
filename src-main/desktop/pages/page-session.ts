import type { Session } from 'electron'
import type { PageAddress } from './page-address.ts'

/**
 * What the page may have of the machine, and nothing else: to write plain text to the clipboard (a terminal's
 * selection, a public key). Reading the clipboard is not needed: pasting is the user's own act and comes as
 * a paste event.
 */
const granted = 'clipboard-sanitized-write'

/** Denies every permission but that one, and that one to everyone but the page itself. */
export function denyPermissions(session: Session, page: PageAddress): void {
  const allows = (permission: string, origin: string): boolean =>
    permission === granted && originOf(origin) === page.origin
  session.setPermissionRequestHandler((_contents, permission, answer, details) => {
    answer(details.isMainFrame && allows(permission, details.requestingUrl))
  })
  session.setPermissionCheckHandler((_contents, permission, origin) => allows(permission, origin))
  session.setDevicePermissionHandler(() => false)
}

/** Scheme and host, also of schemes whose `URL.origin` is "null" to Node, such as `app:`. */
export function originOf(url: string): string | null {
  if (!URL.canParse(url)) return null
  const { protocol, host } = new URL(url)
  return `${protocol}//${host}`
}

/**
 * Leads whatever a page would still load from the network (preconnect and prefetched addresses are not under its
 * content security policy) to the discard port, where nobody listens; this computer's own addresses, too. Its files
 * come over `app:`, which needs no proxy. Whatever main fetches goes through sessions of its own.
 */
export async function cutOffPages(session: Pick<Session, 'setProxy'>): Promise<void> {
  await session.setProxy({
    mode: 'fixed_servers',
    proxyRules: 'http://127.0.0.1:9',
    proxyBypassRules: '<-loopback>',
  })
}
