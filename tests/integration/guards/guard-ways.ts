import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { createServer, type RequestListener } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { onTestFinished } from 'vitest'
import type { Simulator } from '../../simulator/simulator.ts'
import { startServiceSwitch, type ServiceSwitch } from '../../support/service-switch.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

/** The instance of a cell, and its way to the service. */
export interface Way extends ServiceSwitch {
  readonly id: number
  readonly key: string
  /** Something else answers at the service's address, until it's on again. */
  readonly replaceBy: (answer: RequestListener) => Promise<void>
}

/** Begins to listen, and says where. */
export async function listening(server: ReturnType<typeof createServer>, port = 0): Promise<string> {
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

/** A switch before the service, of one instance alone. */
export async function wayFor(service: Simulator, id: number, key: string): Promise<Way> {
  const way = await startServiceSwitch(service)
  let replaced = async (): Promise<void> => undefined
  onTestFinished(() => replaced())
  onTestFinished(way.off)
  return {
    ...{ ...way, id, key },
    on: async () => {
      await replaced()
      await way.on()
    },
    replaceBy: async (answer) => {
      await way.off()
      const server = createServer(answer)
      await listening(server, Number(new URL(way.service.baseUrl).port))
      replaced = async () => {
        server.close()
        server.closeAllConnections()
        if (server.listening) await once(server, 'close')
      }
    },
  }
}

/** Something that answers in a service's place. */
export async function answering(answer: RequestListener): Promise<string> {
  const server = createServer(answer)
  onTestFinished(() => void server.close())
  return listening(server)
}

/** A service whose certificate nobody vouches for. */
export async function untrusted(answer: RequestListener): Promise<string> {
  const folder = await temporaryFolder()
  const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')]
  const about = [
    '-x509',
    '-newkey',
    'ec',
    '-pkeyopt',
    'ec_paramgen_curve:P-256',
    '-nodes',
    '-subj',
    '/CN=localhost',
  ]
  await promisify(execFile)('openssl', ['req', ...about, '-days', '2', '-keyout', key, '-out', cert])
  const pair = { key: await readFile(key), cert: await readFile(cert) }
  const server = createSecureServer(pair, answer)
  onTestFinished(() => void server.close())
  return (await listening(server)).replace('http:', 'https:')
}
