import { expect } from 'vitest'
import { z } from 'zod'
import type { Simulator } from '../../../simulator/simulator.ts'
import { expectAnswer, expectRefusal, tenantOf } from './asking.ts'
import type { Exempt, Row } from './row.ts'

const PATH = '/api/v0/users/current/'
const KEY = 'ssh-ed25519 AAAA me@here'

const user = z.looseObject({
  id: z.int(),
  email: z.email(),
  full_name: z.string().min(1),
  credit: z.number(),
  ssh_key: z.string(),
  tfa_status: z.enum(['enabled', 'disabled', 'legacy']),
  email_verified_at: z.number().nullable(),
  is_admin: z.boolean(),
})
type User = z.output<typeof user>

async function userOf(simulator: Simulator, ...who: Parameters<Simulator['account']>): Promise<User> {
  return user.parse(await expectAnswer(tenantOf(simulator, ...who), 'GET', PATH))
}

const fieldRow = (says: string, see: (simulator: Simulator) => Promise<void>): Row => ({
  section: '2.5',
  says,
  check: see,
})

export const userRows: readonly Row[] = [
  fieldRow('Returned by the account endpoint.', async (simulator) => {
    expect(await userOf(simulator, 'default')).toMatchObject({ is_admin: false })
  }),
  fieldRow('| id | integer | user id |', async (simulator) => {
    const [one, other] = [await userOf(simulator, 'default'), await userOf(simulator, 'default')]
    expect(one.id).not.toBe(other.id)
  }),
  fieldRow('| email | string |', async (simulator) => {
    expect((await userOf(simulator, 'default')).email).toContain('@')
  }),
  fieldRow('| full_name | string |', async (simulator) => {
    expect((await userOf(simulator, 'default')).full_name).toMatch(/\w \w/)
  }),
  fieldRow('| credit | number | balance |', async (simulator) => {
    expect((await userOf(simulator, 'default')).credit).toBeGreaterThan(0)
  }),
  fieldRow('| ssh_key | string | public SSH key |', async (simulator) => {
    expect((await userOf(simulator, 'default', { sshKey: KEY })).ssh_key).toBe(KEY)
    expect((await userOf(simulator, 'default')).ssh_key).toBe('')
  }),
  fieldRow('| tfa_status | string | `enabled`, `disabled` or `legacy` |', async (simulator) => {
    expect((await userOf(simulator, 'default')).tfa_status).toBe('disabled')
    expect((await userOf(simulator, 'legacy')).tfa_status).toBe('legacy')
    const withMethod = await userOf(simulator, 'legacy', { twoFactorMethods: [{ method: 'totp' }] })
    expect(withMethod.tfa_status).toBe('legacy')
    expect((await userOf(simulator, 'multi-sms')).tfa_status).toBe('enabled')
  }),
  fieldRow('| email_verified_at | timestamp or null |', async (simulator) => {
    expect((await userOf(simulator, 'unverified')).email_verified_at).toBeNull()
    const at = (await userOf(simulator, 'default')).email_verified_at ?? Infinity
    expect(at).toBeLessThan(simulator.clock.now() / 1000)
    expect(at).toBeGreaterThan(1_500_000_000)
  }),
  fieldRow('| is_admin | boolean |', async (simulator) => {
    expect((await userOf(simulator, 'admin')).is_admin).toBe(true)
    expect((await userOf(simulator, 'default')).is_admin).toBe(false)
  }),
  {
    section: '4.2',
    says: '| GET | `/api/v0/users/current/` | user object (2.5) |',
    async check(simulator) {
      user.parse(await expectAnswer(simulator, 'GET', PATH))
      await expectRefusal(simulator, ['POST', PATH, {}], [405, 'GET'])
      await expectRefusal(simulator, ['GET', `${PATH}?id=1`], [400, '"id"'])
    },
  },
]

export const userExempt: readonly Exempt[] = [
  { section: '2.5', says: 'Complete user record: not shown', why: 'It says that nothing is said.' },
]
