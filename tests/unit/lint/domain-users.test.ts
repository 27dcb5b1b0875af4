import { expect, test } from 'vitest'
import { usersOf } from '../../support/places.ts'
import { sourceImports } from '../../support/source-imports.ts'

const domain = 'src-main/domain/'
/** Rules of renting that one place happens to ask. */
const rulesOfTheTrade = [
  'src-main/domain/instances/instance-fields.ts',
  'src-main/domain/templates/template-fields.ts',
  'src-main/domain/templates/template-merge.ts',
]

test('every file of domain/ serves two places; one that serves a single one belongs beside it', () => {
  const lonely = [...usersOf(domain, sourceImports())]
    .filter(([file, users]) => users.length < 2 && !rulesOfTheTrade.includes(file))
    .map(([file, users]) => `${file}: ${users.join()}`)
  expect(lonely).toEqual([])
})

test('what is used through another file of domain/ counts, and a page or an area once', () => {
  const imports = new Map([
    ['src-main/domain/money/cost.ts', []],
    ['src-main/domain/money/total.ts', ['src-main/domain/money/cost.ts']],
    ['src-main/services/renting/rent.ts', ['src-main/domain/money/total.ts']],
    [
      'src-main/services/renting/retry.ts',
      ['src-main/domain/money/total.ts', 'src-main/domain/money/cost.ts'],
    ],
    ['src-renderer/features/offers/search/Price.vue', ['src-main/domain/money/cost.ts']],
  ])
  expect(Object.fromEntries(usersOf(domain, imports))).toEqual({
    'src-main/domain/money/cost.ts': ['src-main/services/renting', 'src-renderer/features/offers'],
    'src-main/domain/money/total.ts': ['src-main/services/renting'],
  })
})
