import { z } from 'zod'
import { type Caller, forbidden } from './accounts.ts'
import type { Clock } from './clock.ts'
import { type CreateBody, createBody, instanceOrder } from './create-body.ts'
import { type Endpoint, idSegment, keyedEndpoint, noBody, noParams, noQuery } from './endpoint.ts'
import type { Fleet, Instance } from './fleet.ts'
import { instanceRecord } from './instance-record.ts'
import type { Templates } from './templates/templates.ts'

const ONE_INSTANCE = '/api/v0/instances/:instance_id/'
const instanceParams = z.strictObject({ instance_id: idSegment })

/** The instance endpoints (service API 4.4). */
export function instanceEndpoints(fleet: Fleet, templates: Templates, clock: Clock): readonly Endpoint[] {
  const record = (instance: Instance): object => instanceRecord(instance, clock.nowSeconds())

  /** Stopping and destroying are open to the instance's own key too (service API 5, point 4). */
  function findWritable(caller: Caller, id: number): Instance {
    if (caller.kind === 'instance' && caller.instanceId !== id)
      throw forbidden('this key belongs to another instance')
    return fleet.find(caller.account, id)
  }

  async function rent({ account }: Caller, offerId: number, body: CreateBody): Promise<object> {
    const hashId = body.template_hash_id
    const template = hashId === undefined ? null : templates.find(account, hashId)
    const instance = await fleet.create(account, offerId, instanceOrder(body, template))
    if (template !== null) templates.countInstance(template.id, clock.nowSeconds())
    return { success: true, new_contract: instance.id, instance_api_key: instance.key }
  }

  // The examples use PUT, one description names POST; the reply is the same.
  const renting = (['PUT', 'POST'] as const).map((method) =>
    keyedEndpoint({
      method,
      path: '/api/v0/asks/:offer_id/',
      access: 'instance_write',
      params: z.strictObject({ offer_id: idSegment }),
      query: noQuery,
      body: createBody,
      answer: ({ caller, params, body }) => rent(caller, params.offer_id, body),
    }),
  )

  return [
    ...renting,
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
