import type { Session } from 'electron'

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
