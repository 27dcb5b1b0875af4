import { expect, test } from 'vitest'
import {
  noSshChoice,
  type AddressChoice,
  type AddressKind,
  type AddressRoute,
} from '#domain/ssh/ssh-choice.ts'
import {
  addressInUseText,
  addressPlanText,
  routeTexts,
  unclearTexts,
} from '../../../../src-renderer/features/instances/ssh-address-text.ts'

const none = {
  jumpHosts: null,
  from: null,
  leavesOutCommand: false,
  unclear: null,
  configForwardsAgent: false,
}
const unclear = { ...none, unclear: { code: 'unreadable-proxy-jump', text: 'x y' } as const }

const plan = (address: AddressChoice, ...addresses: readonly AddressKind[]): string | null =>
  addressPlanText({
    choice: { ...noSshChoice, address },
    addresses,
    isUnanswered: false,
    routes: { direct: none, proxy: none },
  })

test('says where the next connection goes, and whether that was chosen', () => {
  expect(plan('automatic')).toBeNull()
  expect(plan('automatic', 'direct', 'proxy')).toBe(
    'Slipway tries the direct address first, then the service’s SSH address. Editors and the SSH configuration get the direct address.',
  )
  expect(plan('automatic', 'proxy', 'direct')).toBe(
    'Slipway tries the service’s SSH address first, then the direct address. Editors and the SSH configuration get the service’s SSH address.',
  )
  expect(plan('automatic', 'proxy')).toBe('The instance has only the service’s SSH address.')
  expect(plan('direct', 'direct')).toBe(
    'Slipway uses the direct address only (chosen here). Editors and the SSH configuration get the direct address.',
  )
  expect(plan('direct')).toBe(
    'The instance has no direct address now. You chose it here, so Slipway connects to no other.',
  )
})

test('says that neither address answered, where editors and ssh get one all the same', () => {
  expect(
    addressPlanText({
      choice: noSshChoice,
      addresses: ['direct', 'proxy'],
      isUnanswered: true,
      routes: { direct: none, proxy: none },
    }),
  ).toMatch(/get the direct address\. Neither answered when Slipway last checked\.$/)
})

test('lists no address that isn’t tried, as its route is unclear', () => {
  const planOf = (direct: AddressRoute, proxy: AddressRoute): string | null =>
    addressPlanText({
      choice: noSshChoice,
      addresses: ['direct', 'proxy'],
      isUnanswered: false,
      routes: { direct, proxy },
    })
  expect(planOf(unclear, none)).toBe(
    'Slipway tries the service’s SSH address only. Editors and the SSH configuration get the direct address.',
  )
  expect(planOf(unclear, unclear)).toBe('Editors and the SSH configuration get the direct address.')
})

test('says the route of each address where the configuration gives one a jump host and the other none', () => {
  const jump = { ...none, jumpHosts: 'me@jump.example', from: 'ssh-config' } as const
  expect(routeTexts({ addresses: ['proxy', 'direct'], routes: { direct: jump, proxy: none } })).toEqual([
    'Route to the service’s SSH address: direct',
    'Route to the direct address: through me@jump.example (from ~/.ssh/config)',
  ])
  expect(routeTexts({ addresses: ['direct'], routes: { direct: jump, proxy: none } })).toEqual([
    'Route: through me@jump.example (from ~/.ssh/config)',
  ])
  expect(routeTexts({ addresses: [], routes: { direct: none, proxy: none } })).toEqual(['Route: direct'])
  expect(unclearTexts({ addresses: ['direct', 'proxy'], routes: { direct: unclear, proxy: none } })).toEqual([
    'The direct address isn’t tried: Slipway can’t read ProxyJump x y.',
  ])
  expect(
    unclearTexts({ addresses: ['direct', 'proxy'], routes: { direct: unclear, proxy: unclear } }),
  ).toEqual(['Can’t connect: Slipway can’t read ProxyJump x y.'])
})

test('says where the open connection was made', () => {
  expect(addressInUseText('direct', 'me@jump.example')).toBe(
    'Connected to the direct address through me@jump.example',
  )
  expect(addressInUseText('proxy')).toBe('Connected to the service’s SSH address')
  expect(addressInUseText(null)).toBe('Connected to an address that isn’t listed anymore')
})
