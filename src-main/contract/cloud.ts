import { cloudAddition, cloudList, newCloudConnection } from '../domain/cloud/cloud-connection.ts'
import { procedure } from './base.ts'

/** The account's cloud connections. The API lists and adds them, and does nothing else with them. */
export const cloud = {
  list: procedure.output(cloudList),
  /** Sent once. The secrets go in, and are kept nowhere. */
  add: procedure.input(newCloudConnection).output(cloudAddition),
}
