import { describe, expect, test } from 'vitest'
import {
  problemOfHandshakeError,
  problemOfLostLink,
  problemOfRefusedChannel,
  problemOfSocketError,
} from '#services/ssh/failure.ts'

const withCode = (code: string | number, message = 'why'): Error =>
  Object.assign(new Error(message), { code })

describe('what the user is told', () => {
  test.each([
    ['ECONNREFUSED', 'refused'],
    ['ETIMEDOUT', 'timeout'],
    ['ENOTFOUND', 'unreachable'],
    ['EAI_AGAIN', 'unreachable'],
    ['EHOSTUNREACH', 'unreachable'],
    ['ENETUNREACH', 'unreachable'],
    ['ECONNRESET', 'link-lost'],
    ['EPIPE', 'link-lost'],
    ['EMFILE', 'unreachable'],
  ])('of a connection that fails with %s: %s', (code, kind) => {
    expect(problemOfSocketError(withCode(code))).toMatchObject({ kind })
  })

  test('of a name that is not known says so', () => {
    expect(problemOfSocketError(withCode('ENOTFOUND'))).toEqual({
      kind: 'unreachable',
      detail: { code: 'name-not-found' },
    })
  })

  test.each([
    ['Handshake failed: no matching host key format', 'no-common-algorithm', 'no matching host key format'],
    ['Connection lost before handshake', 'not-ssh', { code: 'closed-before-ssh' }],
    ['Invalid identification string', 'not-ssh', { code: 'no-ssh-greeting' }],
    ['Max greeting lines exceeded', 'not-ssh', { code: 'no-ssh-greeting' }],
    ['Header line too long', 'not-ssh', { code: 'no-ssh-greeting' }],
    ['Bad packet length', 'link-lost', 'Bad packet length'],
  ])('of a talk that ends with “%s”: %s', (message, kind, detail) => {
    expect(problemOfHandshakeError(new Error(message))).toEqual({ kind, detail })
  })

  test.each([
    'Handshake failed: signature verification failed',
    'Malformed signature',
    'Wrong signature type: ssh-rsa, expected: ssh-ed25519',
  ])('of a key exchange that ends with “%s” is that it is not to be trusted', (message) => {
    expect(problemOfHandshakeError(new Error(message))).toEqual({ kind: 'signature-invalid' })
    // In a server's mouth it is no proof.
    expect(problemOfHandshakeError(withCode(3, message))).toEqual({ kind: 'link-lost', detail: message })
  })

  test('of a server that leaves with a reason is that reason, not that it cannot be reached', () => {
    expect(problemOfHandshakeError(withCode(12, 'Not allowed at this time'))).toEqual({
      kind: 'link-lost',
      detail: 'Not allowed at this time',
    })
  })

  test('of a socket that fails during the talk is the socket’s fault', () => {
    expect(problemOfHandshakeError(withCode('ETIMEDOUT'))).toEqual({ kind: 'timeout' })
  })

  test.each([
    [new Error('(SSH) Channel open failure: open failed'), 'open failed'],
    [new Error('Unable to start subsystem: sftp'), 'Unable to start subsystem: sftp'],
    ['no error at all', 'no error at all'],
  ])('of a channel that is refused, with %s, is what the server says', (error, detail) => {
    expect(problemOfRefusedChannel(error)).toEqual({ kind: 'channel-refused', detail })
  })

  test.each([
    [new Error('Keepalive timeout'), { code: 'silent', seconds: 45 }],
    [withCode('ECONNRESET'), { code: 'reset' }],
    [withCode('ETIMEDOUT', 'read ETIMEDOUT'), 'read ETIMEDOUT'],
    [new Error('Invalid MAC'), 'Invalid MAC'],
  ])('of a connection that stood, with %s, is that it was lost', (error, detail) => {
    expect(problemOfLostLink(error)).toEqual({ kind: 'link-lost', detail })
  })
})
