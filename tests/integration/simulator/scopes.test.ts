import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { CATEGORIES, type Category } from '../../simulator/accounts.ts'
import { type Simulator, startSimulator } from '../../simulator/simulator.ts'
import { call, rent } from './caller.ts'
import { containing } from './expectations.ts'

let simulator: Simulator
beforeAll(async () => {
  simulator = await startSimulator({ offers: 20 })
})
afterAll(() => simulator.close())

/** What each endpoint needs. The bodies are wrong on purpose: the key is looked at first, and nothing is done. */
const ENDPOINTS: readonly (readonly [method: string, path: string, category: Category])[] = [
  ['GET', '/api/v0/users/current/', 'user_read'],
  ['GET', '/api/v0/users/cloud/', 'user_read'],
  ['GET', '/api/v0/tfa/status/', 'user_read'],
  ['POST', '/api/v0/users/cloud/', 'misc'],
  ['POST', '/api/v0/bundles/', 'misc'],
  ['GET', '/api/v0/template/', 'user_read'],
  ['POST', '/api/v0/template/', 'misc'],
  ['PUT', '/api/v0/template/', 'misc'],
  ['DELETE', '/api/v0/template/', 'misc'],
  ['PUT', '/api/v0/asks/1/', 'instance_write'],
  ['POST', '/api/v0/asks/1/', 'instance_write'],
  ['GET', '/api/v0/instances/', 'instance_read'],
  ['GET', '/api/v0/instances/1/', 'instance_read'],
  ['PUT', '/api/v0/instances/1/', 'instance_write'],
  ['DELETE', '/api/v0/instances/1/', 'instance_write'],
]

const statusWith = async (key: string, method: string, path: string): Promise<number> => {
  const answer = await call(simulator, method, path, method === 'GET' ? { key } : { key, body: [] })
  return answer.status
}

describe.each(ENDPOINTS)('%s %s', (method, path, category) => {
  it(`is open to a key with ${category}`, async () => {
    const { key } = simulator.account('default', { categories: [category] })
    expect([200, 400, 404]).toContain(await statusWith(key, method, path))
  })

  it('is closed to a key with everything else', async () => {
    const categories = CATEGORIES.filter((each) => each !== category)
    const { key } = simulator.account('default', { categories })
    expect(await call(simulator, method, path, { key })).toMatchObject({
      status: 403,
      body: { error: 'forbidden', msg: containing(category) },
    })
  })

  it('is closed to a revoked key, a wrong one and none', async () => {
    // The 2FA endpoints have a code of their own for it (service API 7, auth_error).
    const denied = path.startsWith('/api/v0/tfa/') ? 403 : 401
    expect(await statusWith(simulator.account('revoked').key, method, path)).toBe(denied)
    expect(await statusWith('wrong', method, path)).toBe(denied)
    expect((await fetch(simulator.baseUrl + path, { method })).status).toBe(denied)
  })

  it("is closed to another instance's key", async () => {
    const { instanceKey } = await rent(simulator)
    const body = method === 'PUT' && category === 'instance_write' ? { state: 'stopped' } : undefined
    expect((await call(simulator, method, path, { key: instanceKey, body })).status).toBe(403)
  })
})

/** No category that the API names fits these. */
const UNSCOPED = [
  ['POST', '/api/v0/tfa/'],
  ['DELETE', '/api/v0/tfa/'],
  ['POST', '/api/v0/tfa/email/'],
  ['POST', '/api/v0/tfa/sms/'],
  ['POST', '/api/v0/tfa/sms/resend/'],
  ['POST', '/api/v0/tfa/totp-setup/'],
  ['POST', '/api/v0/tfa/authorize-new-method/'],
  ['PUT', '/api/v0/tfa/authorize-new-method/'],
  ['POST', '/api/v0/tfa/confirm-new/'],
  ['PUT', '/api/v0/tfa/update/'],
  ['PUT', '/api/v0/tfa/regen-backup-codes/'],
  ['POST', '/api/v0/tfa/test/'],
  ['POST', '/api/v0/tfa/test-submit/'],
  ['POST', '/api/v0/tfa/resend/'],
] as const

describe.each(UNSCOPED)('%s %s', (method, path) => {
  it('is closed to a key of three categories and open to one of all', async () => {
    for (const missing of CATEGORIES) {
      const categories = CATEGORIES.filter((each) => each !== missing)
      const { key } = simulator.account('default', { categories })
      const answer = await call(simulator, method, path, { key })
      expect(answer).toMatchObject({ status: 403, body: { error: 'forbidden' } })
    }
    const { key } = simulator.account('default')
    const { body } = await call(simulator, method, path, { key })
    expect(body).not.toMatchObject({ error: 'forbidden' })
  })
})
