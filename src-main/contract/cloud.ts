import { z } from 'zod'
import { cloudAddition, cloudConnection, newCloudConnection } from '../domain/cloud-connection.ts'
import { procedure } from './base.ts'

/** Cloud connections of the account in use. The API lists and adds them, and does nothing else with them. */
export const cloud = {
  list: procedure.output(z.array(cloudConnection).readonly()),
  /** Sent once. The secrets go in, and are kept nowhere. */
  add: procedure.input(newCloudConnection).output(cloudAddition),
}
