import { implement } from '@orpc/server'
import { cloud as contract } from '../../contract/cloud.ts'
import type { Cloud } from '../../services/cloud/cloud.ts'

const os = implement(contract)

/** The calls of `contract/cloud.ts`, answered by the service. */
export function cloudRouter(cloud: Cloud) {
  return os.router({
    list: os.list.handler(({ signal }) => cloud.list(signal)),
    add: os.add.handler(({ input }) => cloud.add(input)),
  })
}
