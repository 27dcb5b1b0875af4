import { expect, test } from 'vitest'
import type { GuardRefusal } from '#domain/base/guard-refusal.ts'
import { guardRefusalText } from '../../../../../src-renderer/features/instances/guards/guard-refusal-text.ts'

test.each<readonly [GuardRefusal, string]>([
  [{ code: 'not-listed' }, 'Refresh the list'],
  [{ code: 'past' }, 'in the future'],
  [{ code: 'not-running' }, 'Destroy instance'],
  [{ code: 'cost-unknown' }, 'another condition'],
  [{ code: 'cost-reached' }, 'higher amount'],
  [{ code: 'repeated' }, 'remove that rule'],
  [{ code: 'destroyed-before' }, 'destroy it later'],
  [{ code: 'stopped-before' }, 'Once stopped for days'],
  [{ code: 'too-many', most: 8 }, 'Remove a rule'],
])('a rule that is refused with %j comes with what to do', (reason, step) => {
  const { title, meaning, nextStep } = guardRefusalText(reason)
  expect(title).toBe('Couldn’t add the auto-stop rule')
  expect(meaning).toMatch(/^\S.*\.$/)
  expect(nextStep).toContain(step)
})

test('a rule for an instance that does not run says that its disk is still charged', () => {
  expect(guardRefusalText({ code: 'not-running' }).meaning).toContain('You’re still charged for its disk.')
})
