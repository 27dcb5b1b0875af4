import fc from 'fast-check'
import { expect, it } from 'vitest'
import {
  mostTerminals,
  mostTiles,
  openRequestQuery,
  readOpenRequest,
} from '../../../../src-renderer/shared/terminals/open-request.ts'

it('reads what it has written', () => {
  const requests = fc.record({
    instanceIds: fc.uniqueArray(fc.nat(), { minLength: 1, maxLength: mostTiles }),
    areTiles: fc.boolean(),
    isBroadcast: fc.boolean(),
    folder: fc.constantFrom(null, '/', '/root/my app'),
  })
  fc.assert(
    fc.property(requests, (request) => {
      expect(readOpenRequest(openRequestQuery(request))).toEqual(request)
    }),
  )
})

it('takes what is no folder for none', () => {
  expect(readOpenRequest({ open: '7', folder: 'app' })?.folder).toBeNull()
  expect(readOpenRequest({ open: '7', folder: "/a'b" })?.folder).toBeNull()
})

it('takes what is no id for none, one once, and no more than it can open', () => {
  expect(readOpenRequest({})).toBeNull()
  expect(readOpenRequest({ open: ['7'] })).toBeNull()
  expect(readOpenRequest({ open: '7,x,7,-1,8.5,,1e3' })?.instanceIds).toEqual([7])
  const many = Array.from({ length: 100 }, (_, id) => id).join()
  expect(readOpenRequest({ open: many, as: 'tiles' })).toMatchObject({
    instanceIds: { length: mostTerminals },
    areTiles: false,
  })
})
