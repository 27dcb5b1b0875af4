import fc from 'fast-check'
import { expect, test } from 'vitest'
import { algorithmsFor } from '#services/ssh/protocol/algorithms.ts'
import { bothProposals, readServerProposal } from '#services/ssh/protocol/server-proposal.ts'

function list(...names: readonly string[]): Buffer {
  const text = Buffer.from(names.join(','))
  return Buffer.concat([Buffer.from([0, 0, 0, text.length]), text])
}

/** What a server sends first (RFC 4253 section 7.1). */
function opening(...lists: readonly Buffer[]): Buffer {
  const payload = Buffer.concat([Buffer.from([0, 20]), Buffer.alloc(16), ...lists])
  const length = Buffer.alloc(4)
  length.writeUInt32BE(payload.length)
  return Buffer.concat([Buffer.from('Hello\r\nSSH-2.0-Test\r\n'), length, payload])
}

const whole = opening(
  list('kex-a', 'kex-b'),
  list('ssh-dss'),
  list('c2s'),
  list('aes256-cbc'),
  list('m'),
  list('hmac-md5'),
)

test('the offer of a server is read once it is whole, and not before', () => {
  expect(readServerProposal(whole)).toEqual({
    'key exchange': ['kex-a', 'kex-b'],
    'host key': ['ssh-dss'],
    encryption: ['aes256-cbc'],
    integrity: ['hmac-md5'],
  })
  for (let length = 0; length < whole.length; length += 1)
    expect(readServerProposal(whole.subarray(0, length))).toBeNull()
})

test('names that are none are left out', () => {
  expect(
    readServerProposal(opening(list('good', 'b\u001b[31mad', '', 'x'.repeat(65))))?.['key exchange'],
  ).toEqual(['good'])
})

test('whatever a server sends is survived', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), (noise) => {
      const offer = readServerProposal(Buffer.concat([Buffer.from('SSH-2.0-x\n'), noise]))
      return offer === null || Object.keys(offer).length === 4
    }),
  )
})

test('of both offers those are told that do not meet; without one, what ssh2 says', () => {
  const ours = algorithmsFor([])
  const theirs = readServerProposal(whole)
  expect(bothProposals('no matching host key format', theirs, ours)).toMatch(
    /^for host key it offers ssh-dss; Slipway accepts ssh-ed25519, /,
  )
  const certified = readServerProposal(
    opening(list('k'), list('ssh-ed25519-cert-v01@openssh.com'), list(), list()),
  )
  expect(bothProposals('no matching host key format', certified, ours)).toMatch(
    /^as host key it offers certificates only \(ssh-ed25519-cert-v01@openssh.com\); Slipway accepts /,
  )
  expect(bothProposals('no matching C->S MAC', null, ours)).toBe('no matching C->S MAC')
})
