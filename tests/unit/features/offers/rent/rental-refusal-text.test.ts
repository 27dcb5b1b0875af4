import { expect, test } from 'vitest'
import { rentalRefusal, type RentalRefusal } from '#domain/base/rental-refusal.ts'
import { rentalRefusalText } from '../../../../../src-renderer/features/offers/rent/rental-refusal-text.ts'

const examples: readonly RentalRefusal[] = [
  { code: 'no-ssh-key' },
  { code: 'script-too-long', characters: 5012, limit: 4048 },
  { code: 'retry-running' },
  { code: 'price-above-highest' },
  { code: 'retry-creates-volume' },
  { code: 'auto-rent-running' },
  { code: 'search-changed' },
  { code: 'auto-rent-creates-volume' },
  { code: 'auto-rent-other-pricing' },
  { code: 'called-off' },
  { code: 'no-offer' },
  { code: 'request-unknown' },
  { code: 'list-unreadable' },
  { code: 'not-listed', instanceId: 7 },
  { code: 'not-dead', instanceId: 7 },
]

test('the examples cover every reason', () => {
  const codes = new Set(rentalRefusal.options.map((option) => option.shape.code.value))
  expect(new Set(examples.map(({ code }) => code))).toEqual(codes)
})

test.each(examples)('$code says what was not done, and what to do next', (reason) => {
  const { title, meaning, nextStep } = rentalRefusalText(reason)
  expect(title).not.toMatch(/\.$/)
  expect(meaning).toMatch(/Nothing was (destroyed or )?rented.*\.$/)
  expect(nextStep).toMatch(/\.$/)
  expect(`${title} ${meaning} ${nextStep}`).not.toMatch(/undefined|null|\[object|\s\s/)
})

test('a script that is too long is told with its length and the limit', () => {
  const { meaning } = rentalRefusalText({ code: 'script-too-long', characters: 5012, limit: 4048 })
  expect(meaning).toContain('5,012 characters. The limit is 4,048.')
})
