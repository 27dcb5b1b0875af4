import { connectAccount } from './connected-account.ts'
import { startTestEnvironment, type TestEnvironment } from './world.ts'

/** Instances without a machine behind them, so that the list looks like somebody's. */
const listedInstances = 6

/**
 * For `npm run dev -- --demo`: a service whose account is connected already, with an SSH key and instances, two of which
 * are real SSH servers. All of it is gone after `end`, the data folder too.
 *
 * @throws Error when the account could not be connected
 */
export async function startDemoEnvironment(): Promise<TestEnvironment> {
  const environment = await startTestEnvironment({ service: { instances: listedInstances } })
  const { service, userData, keyring, env } = environment
  try {
    if (keyring === null) throw new Error('There is no keyring')
    await connectAccount({ userData, service, keyring, rentals: 2 })
    return { ...environment, env: { ...env, SLIPWAY_USER_DATA: userData } }
  } catch (error) {
    await environment.end()
    throw error
  }
}
