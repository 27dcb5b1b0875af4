import { expect, test } from 'vitest'
import type { ProblemAtOnePlace } from '#domain/ssh/ssh.ts'
import { addressProblemText } from '../../../../src-renderer/ui/problems/address-problem-text.ts'

test.each<readonly [ProblemAtOnePlace, string]>([
  [{ kind: 'refused' }, 'h:22 refused the connection.'],
  [{ kind: 'unanswered', step: 'greeting' }, 'h:22 accepted the connection but didn’t start SSH.'],
  // It greeted: to say that no SSH server answered would be wrong.
  [{ kind: 'unanswered', step: 'login' }, 'h:22 began SSH, then stopped answering.'],
  [
    { kind: 'out-of-order' },
    'h:22 claimed that you were logged in before its key was trusted: someone may be between you and the host.',
  ],
  [
    { kind: 'link-lost', detail: { code: 'closed' } },
    'The connection to h:22 was lost: the other side closed it.',
  ],
])('%j at one of two addresses is told as what was seen', (problem, text) => {
  expect(addressProblemText(problem, 'h:22')).toBe(text)
})
