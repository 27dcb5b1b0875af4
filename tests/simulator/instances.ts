import { z } from 'zod'
import { type Caller, forbidden, requireCategory } from './accounts.ts'
import type { Clock } from './clock.ts'
import { createBody, instanceOrder } from './create-body.ts'
import { type Endpoint, idSegment, keyedEndpoint, noBody, noParams, noQuery } from './endpoint.ts'
import type { Fleet, Instance } from './fleet.ts'
import { instanceRecord } from './instance-record.ts'

const ONE_INSTANCE = '/api/v0/instances/:instance_id/'
const instanceParams = z.strictObject({ instance_id: idSegment })

/** The instance endpoints (service API 4.4). */
export function instanceEndpoints(fleet: Fleet, clock: Clock): readonly Endpoint[] {
  const record = (instance: Instance): object => instanceRecord(instance, clock.nowSeconds())

  /** Stopping and destroying are open to the instance's own key too (service API 5, point 4). */
  function findWritable(caller: Caller, id: number): Instance {
    if (caller.kind === 'account') requireCategory(caller, 'instance_write')
    else if (caller.instanceId !== id) throw forbidden('this key belongs to another instance')
    return fleet.find(caller.account, id)
  }

  return [
    keyedEndpoint({
      method: 'PUT',
      path: '/api/v0/asks/:offer_id/',
      access: 'instance_write',
      params: z.strictObject({ offer_id: idSegment }),
      query: noQuery,
      body: createBody,
      async answer({ caller, params, body }) {
        const instance = await fleet.create(caller.account, params.offer_id, instanceOrder(body))
        return { success: true, new_contract: instance.id, instance_api_key: instance.key }
      },
    }),
    keyedEndpoint({
      method: 'GET',
      path: '/api/v0/instances/',
      access: 'instance_read',
      params: noParams,
      query: noQuery,
      body: noBody,
      answer({ caller }) {
        const instances = fleet.listOf(caller.account).map(record)
        return { instances_found: instances.length, instances }
      },
    }),
    keyedEndpoint({
      method: 'GET',
      path: ONE_INSTANCE,
      access: 'instance_read',
      params: instanceParams,
      query: noQuery,
      body: noBody,
      answer: ({ caller, params }) => ({ instances: record(fleet.find(caller.account, params.instance_id)) }),
    }),
    keyedEndpoint({
      method: 'PUT',
      path: ONE_INSTANCE,
      access: 'own-instance',
      params: instanceParams,
      query: noQuery,
      body: z.strictObject({ state: z.literal('stopped') }),
      async answer({ caller, params }) {
        await fleet.stop(findWritable(caller, params.instance_id))
        return { success: true }
      },
    }),
    keyedEndpoint({
      method: 'DELETE',
      path: ONE_INSTANCE,
      access: 'own-instance',
      params: instanceParams,
      query: noQuery,
      body: noBody,
      async answer({ caller, params }) {
        await fleet.destroy(findWritable(caller, params.instance_id))
        return { success: true }
      },
    }),
  ]
}
