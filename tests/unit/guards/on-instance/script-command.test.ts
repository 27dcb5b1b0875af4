import { expect, test } from 'vitest'
import { executionOf } from '#services/guards/on-instance/script-command.ts'

test.each([{ kind: 'state' }, { kind: 'arm', script: "echo 'hi'", order: 'end\n' }] as const)(
  'whichever the login shell is, it gets one word between two single quotes: $kind',
  (command) => {
    const { command: line } = executionOf(command)
    expect(line).toMatch(/^exec sh -c '[^']*'$/)
  },
)

test('script and order travel on the input, where nobody lists them', () => {
  const { command, input } = executionOf({ kind: 'arm', script: 'echo hi', order: 'key=secret\nend\n' })
  expect(command).not.toContain('secret')
  expect(input).toBe('echo hi\n# slipway: end of script\nkey=secret\nend\n')
})
