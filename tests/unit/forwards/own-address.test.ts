import fc from 'fast-check'
import { expect, test } from 'vitest'
import { ownAddress } from '#services/forwards/own-address.ts'

test.each([
  [0, '127.16.0.0'],
  [1, '127.16.0.1'],
  [256, '127.16.1.0'],
  [15_663_103, '127.254.255.255'],
  [15_663_104, '127.16.0.0'],
])('instance %i is at %s', (id, address) => {
  expect(ownAddress(id)).toBe(address)
})

test('every instance is on loopback, away from what systems use themselves and from the broadcast', () => {
  fc.assert(
    fc.property(fc.nat(Number.MAX_SAFE_INTEGER), (id) => {
      const octets = ownAddress(id).split('.').map(Number)
      expect(octets[0]).toBe(127)
      expect(octets[1]).toBeGreaterThanOrEqual(16)
      expect(octets[1]).toBeLessThanOrEqual(254)
      for (const octet of octets.slice(2)) expect(octet).toBe(octet & 255)
    }),
  )
})
