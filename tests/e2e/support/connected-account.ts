import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { rmSync } from 'node:fs'
import { cp, mkdir, mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Keyring, startKeyring } from '../../keyring/keyring.ts'
import { findFreePort } from '../../simulator/free-port.ts'
import { type Simulator, startSimulator } from '../../simulator/simulator.ts'

/** What an app has on the disk and in its keychain once the simulator's default account is connected, with an SSH key. */
export interface ConnectedAccount {
  /** Where the simulator has to be: an account is one of its address. */
  readonly port: number
  readonly copyTo: (userData: string) => Promise<void>
  /** What a keyring begins with. */
  readonly keyringContents: string
}

/** To be copied in place of the first run, which takes as long as most tests. Made by main itself, once per process. */
export function connectedAccount(): Promise<ConnectedAccount> {
  made ??= make()
  return made
}

let made: Promise<ConnectedAccount> | undefined

async function make(): Promise<ConnectedAccount> {
  const folder = await mkdtemp(join(tmpdir(), 'slipway-connected-'))
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  const userData = join(folder, 'user-data')
  const keyringContents = join(folder, 'keyring')
  await mkdir(userData)
  const port = await findFreePort()
  const service = await startSimulator({ port, offers: 1 })
  const keyring = await startKeyring()
  try {
    await connectAccount({ userData, service, keyring })
    await keyring.stopDaemon()
    await cp(keyring.contents, keyringContents, { recursive: true })
  } finally {
    await keyring.stop()
    await service.close()
  }
  return { port, keyringContents, copyTo: (to) => cp(userData, to, { recursive: true }) }
}

/**
 * Connects the simulator's default account for an app that isn't running.
 *
 * @param rentals instances that it rents, too
 * @throws Error when that failed
 */
export async function connectAccount({
  userData,
  service: { baseUrl, key },
  keyring,
  rentals = 0,
}: {
  readonly userData: string
  readonly service: Pick<Simulator, 'baseUrl' | 'key'>
  readonly keyring: Pick<Keyring, 'env'>
  readonly rentals?: number
}): Promise<void> {
  const options = JSON.stringify({ userData, baseUrl, key, rentals })
  const child = spawn(process.execPath, [join(import.meta.dirname, 'connect-account.ts'), options], {
    env: { ...process.env, ...keyring.env, HOME: join(userData, 'home') },
    stdio: 'inherit',
  })
  const [code] = await once(child, 'exit')
  if (code !== 0) throw new Error(`The account could not be connected (${String(code)})`)
}
