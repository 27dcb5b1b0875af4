import { expect, it } from 'vitest'
import { placesOf } from '#services/files/local-tree.ts'

it('sorts what was chosen by the folders that it is in', () => {
  expect(placesOf(['/home/kim/a', '/home/kim/b c', '/data/set'])).toEqual([
    { from: '/home/kim', names: ['a', 'b c'] },
    { from: '/data', names: ['set'] },
  ])
  expect(placesOf([])).toEqual([])
})

it('leaves out the root, which has no name', () => {
  expect(placesOf(['/', '/srv'])).toEqual([{ from: '/', names: ['srv'] }])
})
