import { onTestFinished } from 'vitest'
import {
  serveHostileSftp,
  type HostileServer,
  type HostileServerOptions,
} from '../../support/hostile-sftp-server.ts'

/** A hostile server that ends with the test. */
export async function startHostileServer(options: HostileServerOptions): Promise<HostileServer> {
  const server = await serveHostileSftp(options)
  onTestFinished(() => server.close())
  return server
}
