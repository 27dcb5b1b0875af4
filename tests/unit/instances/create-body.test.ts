import { expect, test } from 'vitest'
import type { RentRequest } from '../../../src-main/domain/instance.ts'
import { createBody } from '../../../src-main/instances/create-body.ts'

const request: RentRequest = {
  offerId: 1,
  image: 'pytorch/pytorch',
  diskGb: 16,
  onstart: '',
  addSshKey: false,
}
const key = { line: 'ssh-ed25519 AAAA slipway', algorithm: 'ssh-ed25519', fingerprint: 'SHA256:x' }

test('only what was asked for is sent', () => {
  expect(createBody(request, key)).toEqual({ image: 'pytorch/pytorch', disk: 16 })
})

test('the key goes in through the start script', () => {
  expect(createBody({ ...request, addSshKey: true }, key).onstart).toContain(key.line)
})

test('without a key to add, nothing is sent', () => {
  expect(() => createBody({ ...request, addSshKey: true }, null)).toThrow(
    expect.objectContaining({ problem: expect.objectContaining({ field: 'addSshKey' }) }),
  )
})

test.each([
  [4048, false],
  [4048, true],
  [4049, false],
])('the limit counts what is sent: %i characters, with key %s', (length, addSshKey) => {
  const attempt = () => createBody({ ...request, onstart: 'x'.repeat(length), addSshKey }, key)
  if (length > 4048 || addSshKey) expect(attempt).toThrow('invalid-input')
  else expect(attempt().onstart).toHaveLength(4048)
})
