import { expect } from 'vitest'
import type { FixtureName } from '../../../simulator/accounts.ts'
import type { Simulator } from '../../../simulator/simulator.ts'
import { type Answer, call, rent, search } from '../caller.ts'
import { anyString, containing } from '../expectations.ts'

/** Somebody with a key. */
export type Tenant = Pick<Simulator, 'baseUrl' | 'key'>

/** A fresh account with a key of its own. */
export const tenantOf = (
  simulator: Simulator,
  fixture: FixtureName = 'default',
  options: Parameters<Simulator['account']>[1] = {},
): Tenant => ({ baseUrl: simulator.baseUrl, key: simulator.account(fixture, options).key })

export const ask = (tenant: Tenant, method: string, path: string, body?: unknown): Promise<Answer> =>
  call(tenant, method, path, { body })

/** Asks, expects 200, and gives the body. */
export async function expectAnswer(
  tenant: Tenant,
  method: string,
  path: string,
  body?: unknown,
): Promise<unknown> {
  const answer = await ask(tenant, method, path, body)
  expect(answer).toMatchObject({ status: 200 })
  return answer.body
}

/** Asks, and expects a refusal in the API's shape with this in its message. */
export async function expectRefusal(
  tenant: Tenant,
  [method, path, body]: readonly [method: string, path: string, body?: unknown],
  [status, reason]: readonly [status: number, reason: string],
): Promise<void> {
  const answer = await ask(tenant, method, path, body)
  expect(answer).toMatchObject({ status, body: { error: anyString, msg: containing(reason) } })
}

/** An offer that nobody has. */
export async function freeOffer(tenant: Tenant): Promise<number> {
  const [offer] = await search(tenant, { rentable: { eq: true }, order: [['dph_total', 'asc']], limit: 1 })
  return offer?.id ?? 0
}

export const instancePath = (id: number): string => `/api/v0/instances/${String(id)}/`
export const askPath = (offerId: number): string => `/api/v0/asks/${String(offerId)}/`

/** Rents a machine, and destroys it when `use` is done with it. */
export async function withRented(
  tenant: Tenant,
  order: object,
  use: (rented: Awaited<ReturnType<typeof rent>>) => Promise<void>,
): Promise<void> {
  const rented = await rent(tenant, order)
  try {
    await use(rented)
  } finally {
    await ask(tenant, 'DELETE', instancePath(rented.id))
  }
}
