import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { twoFactorCode } from '#domain/base/two-factor-codes.ts'
import { type Simulator, startSimulator } from '../../simulator/simulator.ts'
import { addingCauses } from './causes/adding.ts'
import { sendingCauses } from './causes/sending.ts'
import { verifyingCauses } from './causes/verifying.ts'

const causes = { ...sendingCauses, ...verifyingCauses, ...addingCauses }

let service: Simulator
beforeAll(async () => {
  service = await startSimulator({ offers: 1 })
})
afterAll(() => service.close())
beforeEach(() => {
  service.twoFactor.setCarrier('up')
  service.twoFactor.setStore('authorizations', 'up')
  service.twoFactor.setStore('authorization-challenges', 'up')
})

test('every code of the table has a cause', () => {
  expect(Object.keys(causes).toSorted()).toEqual(twoFactorCode.options.toSorted())
})

test.each(Object.entries(causes))('%s', (_, happen) => happen(service))
