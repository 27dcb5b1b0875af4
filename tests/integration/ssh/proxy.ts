import { onTestFinished } from 'vitest'
import type { SshAddress } from '#domain/ssh/ssh.ts'
import { startTcpProxy, type TcpProxy } from '../../support/tcp-proxy.ts'

export type Proxy = TcpProxy

/** A way through the network to a server, for as long as the test runs; `delayMs` in each direction. */
export async function startProxy(to: SshAddress, delayMs = 0): Promise<Proxy> {
  const proxy = await startTcpProxy(to, delayMs)
  onTestFinished(proxy.close)
  return proxy
}
