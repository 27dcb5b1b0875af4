import { expect, test } from 'vitest'
import { noSshChoice, type AddressChoice, type AddressKind } from '#domain/ssh/ssh-choice.ts'
import {
  addressInUseText,
  addressPlanText,
} from '../../../../src-renderer/features/instances/ssh-address-text.ts'

const plan = (address: AddressChoice, ...addresses: readonly AddressKind[]): string | null =>
  addressPlanText({ choice: { ...noSshChoice, address }, addresses })

test('says where the next connection goes, and whether that was chosen', () => {
  expect(plan('automatic')).toBeNull()
  expect(plan('automatic', 'direct', 'proxy')).toBe('The direct address first, then the service’s proxy')
  expect(plan('automatic', 'proxy', 'direct')).toBe('The service’s proxy first, then the direct address')
  expect(plan('automatic', 'proxy')).toBe('The service’s proxy')
  expect(plan('direct', 'direct')).toBe('The direct address only (chosen here)')
  expect(plan('direct', 'proxy')).toBe(
    'The service’s proxy; the service lists no direct address for this instance',
  )
})

test('says where the open connection was made', () => {
  expect(addressInUseText('proxy')).toBe('Connected at the service’s proxy')
  expect(addressInUseText(null)).toBe('Connected at an earlier address')
})
