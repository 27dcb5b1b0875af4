import type { Simulator } from '../../simulator/simulator.ts'
import { z } from 'zod'

export interface Answer {
  readonly status: number
  readonly headers: Headers
  /** The parsed JSON. */
  readonly body: unknown
}

/** Sends requests as a client without any knowledge of the service would. */
export interface CallerOptions {
  readonly key?: string
  /** Sent as it is; `body` is sent as JSON. */
  readonly text?: string
  readonly body?: unknown
}

/** One request; the key is the default account's unless another is given. */
export async function call(
  simulator: Pick<Simulator, 'baseUrl' | 'key'>,
  method: string,
  path: string,
  {
    key = simulator.key,
    body,
    text = body === undefined ? undefined : JSON.stringify(body),
  }: CallerOptions = {},
): Promise<Answer> {
  const reply = await fetch(simulator.baseUrl + path, {
    method,
    headers: { Authorization: `Bearer ${key}` },
    ...(text === undefined ? {} : { body: text }),
  })
  const received = await reply.text()
  return { status: reply.status, headers: reply.headers, body: received === '' ? null : JSON.parse(received) }
}

const offersReply = z.object({ offers: z.array(z.looseObject({ id: z.number() })) })

/** Searches offers, and fails if the search does. */
export async function search(
  simulator: Pick<Simulator, 'baseUrl' | 'key'>,
  body: object = {},
): Promise<readonly Readonly<Record<string, unknown> & { id: number }>[]> {
  const answer = await call(simulator, 'POST', '/api/v0/bundles/', { body })
  return offersReply.parse(answer.body).offers
}

const createReply = z.strictObject({
  success: z.literal(true),
  new_contract: z.number(),
  instance_api_key: z.string(),
})

/** Rents the cheapest offer that is free. */
export async function rent(
  simulator: Pick<Simulator, 'baseUrl' | 'key'>,
  order: object = {},
): Promise<{ readonly id: number; readonly offerId: number; readonly instanceKey: string }> {
  const filters = { rentable: { eq: true }, order: [['dph_total', 'asc']], limit: 1 }
  const offerId = (await search(simulator, filters))[0]?.id ?? 0
  const body = { image: 'ubuntu:24.04', disk: 10, ...order }
  const answer = await call(simulator, 'PUT', `/api/v0/asks/${String(offerId)}/`, { body })
  const { new_contract: id, instance_api_key: instanceKey } = createReply.parse(answer.body)
  return { id, offerId, instanceKey }
}

const instanceReply = z.object({
  instances: z.looseObject({
    actual_status: z.string().nullable(),
    intended_status: z.string(),
    ssh_host: z.string(),
    ssh_port: z.int(),
    ports: z.record(z.string(), z.unknown()),
  }),
})

/** The record of one instance, and fails if there is none. */
export async function show(
  simulator: Pick<Simulator, 'baseUrl' | 'key'>,
  id: number,
): Promise<z.output<typeof instanceReply>['instances']> {
  return instanceReply.parse((await call(simulator, 'GET', `/api/v0/instances/${String(id)}/`)).body)
    .instances
}
