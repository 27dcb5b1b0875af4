import { expect, test } from 'vitest'
import { rentBody } from '#domain/rent-body.ts'

const request = { image: ' pytorch/pytorch ', diskGb: 20, onstart: '', addSshKey: false }
const key = 'ssh-ed25519 AAAAC3Nz slipway'

test('what is empty is not sent', () => {
  expect(rentBody(request, key)).toEqual({ image: 'pytorch/pytorch', disk: 20 })
})
test('the key goes into the start script only when it is asked for and there is one', () => {
  expect(rentBody({ ...request, addSshKey: true }, key).onstart).toContain(key)
  expect(rentBody({ ...request, addSshKey: true }, null)).not.toHaveProperty('onstart')
  expect(rentBody({ ...request, onstart: 'sleep 1' }, key).onstart).toBe('sleep 1')
})
