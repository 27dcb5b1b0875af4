import { z } from 'zod'
import { instanceRecord, type InstanceRecord } from '../domain/instance.ts'
import { ProblemError } from '../domain/problem.ts'
import type { RentBody } from '../domain/rent-body.ts'
import type { Http } from './http.ts'

const created = z.looseObject({ success: z.boolean(), new_contract: z.number().int() })
const list = z.looseObject({ instances: z.array(instanceRecord) })
const one = z.looseObject({ instances: instanceRecord })
const done = z.looseObject({ success: z.boolean() })

/**
 * Rents the offer, sent once: a lost reply must be settled by asking for the list, never by asking again.
 *
 * @returns the instance id (`new_contract`)
 */
export async function createInstance(http: Http, offerId: number, body: RentBody): Promise<number> {
  const reply = await http.send({
    method: 'PUT',
    path: `/api/v0/asks/${offerId}/`,
    body,
    reply: created,
    repeatable: false,
    timeoutMs: 60_000,
  })
  assertSuccess(reply.success)
  return reply.new_contract
}

/** All instances. The watch asks again anyway, so a failure is reported at once. */
export async function listInstances(http: Http, signal?: AbortSignal): Promise<InstanceRecord[]> {
  const { instances } = await http.send({
    method: 'GET',
    path: '/api/v0/instances/',
    reply: list,
    repeatable: false,
    ...(signal && { signal }),
  })
  return instances
}

export async function fetchInstance(http: Http, id: number): Promise<InstanceRecord> {
  const { instances } = await http.send({
    method: 'GET',
    path: `/api/v0/instances/${id}/`,
    reply: one,
    repeatable: true,
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
