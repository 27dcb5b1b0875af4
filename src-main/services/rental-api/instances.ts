import { z } from 'zod'
import { instanceRecord, type InstanceRecord } from '../../domain/instances/instance.ts'
import { ProblemError } from '../../domain/base/problem.ts'
import type { RecordList } from '../../domain/rental-api/unreadable-record.ts'
import type { RentBody } from '../../domain/renting/rent-body.ts'
import type { Http } from './http.ts'
import { recordList } from './record-list.ts'

export interface CreatedInstance {
  readonly instanceId: number
  /** `null`: the reply held none. */
  readonly instanceKey: string | null
}

const created = z.looseObject({
  success: z.boolean(),
  new_contract: z.number().int(),
  // A machine that was rented is not lost over a key that is not as expected.
  instance_api_key: z.string().min(1).nullable().catch(null),
})
/** Whether `instanceRecord` gives it as it is: it leaves out a field that would be another prototype. */
export function isInstanceRecord(value: unknown): value is InstanceRecord {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false
  const field = (name: string): unknown => Reflect.get(value, name)
  const isTextOrNone = (text: unknown): boolean =>
    typeof text === 'string' || text === null || text === undefined
  const port = field('ssh_port')
  return (
    Number.isSafeInteger(field('id')) &&
    isTextOrNone(field('actual_status')) &&
    isTextOrNone(field('ssh_host')) &&
    (port === null || port === undefined || Number.isSafeInteger(port)) &&
    !Object.hasOwn(value, '__proto__')
  )
}
const list = z.looseObject({ instances: recordList(instanceRecord, isInstanceRecord) })
const one = z.looseObject({ instances: instanceRecord })
const done = z.looseObject({ success: z.boolean() })

/**
 * Rents the offer, sent once: a lost reply must be settled by asking for the list, never by asking again.
 *
 * @returns the instance id (`new_contract`), and the key that can only start, stop or destroy this instance
 */
export async function createInstance(http: Http, offerId: number, body: RentBody): Promise<CreatedInstance> {
  const reply = await http.send({
    method: 'PUT',
    path: `/api/v0/asks/${offerId}/`,
    body,
    reply: created,
    repeatable: false,
    timeoutMs: 60_000,
  })
  assertSuccess(reply.success)
  return { instanceId: reply.new_contract, instanceKey: reply.instance_api_key }
}

/** All instances. The watch asks again anyway, so a failure is reported at once. */
export async function listInstances(http: Http, signal?: AbortSignal): Promise<RecordList<InstanceRecord>> {
  const { instances } = await http.send({
    method: 'GET',
    path: '/api/v0/instances/',
    reply: list,
    repeatable: false,
    ...(signal && { signal }),
  })
  return instances
}

/** One instance. @param isRepeatable whether a passing failure is tried again */
export async function fetchInstance(
  http: Http,
  id: number,
  { isRepeatable = true, signal }: { readonly isRepeatable?: boolean; readonly signal?: AbortSignal } = {},
): Promise<InstanceRecord> {
  const { instances } = await http.send({
    method: 'GET',
    path: `/api/v0/instances/${id}/`,
    reply: one,
    repeatable: isRepeatable,
    ...(signal && { signal }),
  })
  return instances
}

/** Halts compute billing; the disk is still charged (service API 3.1). */
export async function stopInstance(http: Http, id: number): Promise<void> {
  const { success } = await http.send({
    method: 'PUT',
    path: `/api/v0/instances/${id}/`,
    body: { state: 'stopped' },
    reply: done,
    repeatable: false,
  })
  assertSuccess(success)
}

/** Removes the instance and its disk; all billing stops (service API 3.1). */
export async function destroyInstance(http: Http, id: number): Promise<void> {
  const { success } = await http.send({
    method: 'DELETE',
    path: `/api/v0/instances/${id}/`,
    reply: done,
    repeatable: false,
  })
  assertSuccess(success)
}

function assertSuccess(success: boolean): void {
  if (!success) throw new ProblemError({ kind: 'refused', status: 200, code: '', message: 'success: false' })
}
