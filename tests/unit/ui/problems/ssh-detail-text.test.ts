import { expect, test } from 'vitest'
import { plainReason, type SshDetail } from '#domain/ssh/ssh-detail.ts'
import { sshDetailText } from '#ui/problems/ssh-detail-text.ts'

test('what a host said is told as it said it', () => {
  expect(sshDetailText('Exceeded MaxStartups')).toBe('Exceeded MaxStartups')
})

test.each<readonly [SshDetail, string]>([
  [{ code: 'silent', seconds: 20 }, 'the host hasn’t answered for 20 s'],
  [{ code: 'fault', logId: 'e-41' }, 'an unexpected error, in the log under ID e-41'],
  [{ code: 'unreadable-proxy-jump', text: 'a b' }, 'Slipway can’t read ProxyJump a b'],
  [
    { code: 'small-packets', bytes: 1000 },
    'the host takes at most 1,000 bytes in a packet, and at least 4 KiB are needed',
  ],
  [
    { code: 'too-many-jump-hosts', most: 8, hosts: 'a,b' },
    'there are more than 8 jump hosts, or they lead in a circle: a,b',
  ],
])('%j is told with its values', (detail, text) => {
  expect(sshDetailText(detail)).toBe(text)
})

test.each(plainReason.options)('%s ends a sentence', (code) => {
  expect(sshDetailText({ code })).toMatch(/^\S.*[^.]$/)
})
