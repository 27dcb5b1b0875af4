import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { startSurroundings, type AppDependencies } from './world.ts'

/** Instances without a machine behind them, so that the list looks like somebody's. */
const listedInstances = 6

/**
 * For `npm run dev -- --demo`: a service whose account is connected already, with an SSH key and instances, two of which
 * are real SSH servers. All of it is gone after `end`, the data folder too.
 *
 * @throws Error when the account could not be connected
 */
export async function startDemoSurroundings(): Promise<AppDependencies> {
  const surroundings = await startSurroundings({ service: { instances: listedInstances } })
  const { service, userData, env } = surroundings
  try {
    // HOME is in it, which programs expect to be there.
    await mkdir(join(userData, 'home'), { recursive: true })
    const { baseUrl, key } = service
    const child = spawn(
      process.execPath,
      [join(import.meta.dirname, 'connect-account.ts'), JSON.stringify({ userData, baseUrl, key })],
      { env: { ...process.env, ...env }, stdio: 'inherit' },
    )
    const [code] = await once(child, 'exit')
    if (code !== 0) throw new Error(`The demo's account could not be connected (${String(code)})`)
    return { ...surroundings, env: { ...env, SLIPWAY_USER_DATA: userData } }
  } catch (error) {
    await surroundings.end()
    throw error
  }
}
