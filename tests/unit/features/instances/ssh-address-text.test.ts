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
  expect(plan('automatic', 'direct', 'proxy')).toBe(
    'Slipway tries the direct address first, then the service’s SSH address. VS Code and the SSH configuration get the direct address.',
  )
  expect(plan('automatic', 'proxy', 'direct')).toBe(
    'Slipway tries the service’s SSH address first, then the direct address. VS Code and the SSH configuration get the service’s SSH address.',
  )
  expect(plan('automatic', 'proxy')).toBe('The instance has only the service’s SSH address.')
  expect(plan('direct', 'direct')).toBe(
    'Slipway uses the direct address only (chosen here). VS Code and the SSH configuration get the direct address.',
  )
  expect(plan('direct', 'proxy')).toBe(
    'Slipway uses the service’s SSH address: the instance has no direct address.',
  )
})

test('says where the open connection was made', () => {
  expect(addressInUseText('proxy')).toBe('Connected to the service’s SSH address')
  expect(addressInUseText(null)).toBe('Connected to an address that isn’t listed anymore')
})
