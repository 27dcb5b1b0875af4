import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Simulator, startSimulator } from '../../simulator/simulator.ts'
import type { Causes } from './causes/cause.ts'
import { codeCauses } from './causes/codes.ts'
import { credentialCauses } from './causes/credentials.ts'
import { smsCauses } from './causes/sms.ts'
import { anyNumber, anyString, containing } from './expectations.ts'
import { createPerson } from './tfa-person.ts'

const causes: Causes = { ...credentialCauses, ...codeCauses, ...smsCauses }

/** The table of section 7: the status of each code. */
const description = await readFile(join(import.meta.dirname, '../../../docs/service-api.md'), 'utf8')
const described = new Map(
  [...description.matchAll(/^\| (\w+) \| (\d{3}) \| /gm)].map(([, code = '', status]) => [
    code,
    Number(status),
  ]),
)

/** Fields that a code adds to `error` and `msg`. */
const further: Readonly<Record<string, object>> = {
  tfa_locked: { fail_count: 5, locked_until: anyNumber },
  '2fa_verification_failed': { fail_count: 1, locked_until: null },
}

let simulator: Simulator
beforeAll(async () => {
  simulator = await startSimulator({ offers: 1 })
})
afterAll(() => simulator.close())

it('the description has 32 codes, and each of them a cause', () => {
  expect(described.size).toBe(32)
  expect(Object.keys(causes).toSorted()).toEqual([...described.keys()].toSorted())
})

describe('each code, when it is caused', () => {
  it.each(Object.entries(causes).map(([code, cause]) => ({ code, ...cause })))(
    '$code: $when',
    async ({ code, happen }) => {
      const { status, body } = await happen(simulator)
      expect(body).toEqual({ error: code, msg: anyString, ...further[code] })
      expect(status).toBe(described.get(code))
    },
  )

  it('missing_auth_value with 401: neither a Bearer token nor a secret was sent', async () => {
    const answer = await createPerson(simulator).askLoggedOut('POST', 'email/', {})
    expect(answer).toMatchObject({
      status: 401,
      body: { error: 'missing_auth_value', msg: containing('Bearer') },
    })
  })
})
