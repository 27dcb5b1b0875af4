import * as crypto from 'node:crypto'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { Client } from 'ssh2'
import { algorithmsFor } from '#services/ssh/protocol/algorithms.ts'

vi.mock(import('node:crypto'), { spy: true })
beforeEach(() => void vi.restoreAllMocks())

const hostKeysOf = (known: readonly string[]) => algorithmsFor(known).serverHostKey

describe('what is offered to a host', () => {
  test('begins with AES-GCM and Curve25519, and compresses nothing', () => {
    const { cipher, kex, compress } = algorithmsFor([])
    expect(cipher[0]).toBe('aes128-gcm@openssh.com')
    expect(kex[0]).toBe('curve25519-sha256')
    expect(compress).toEqual(['none'])
  })

  test('holds nothing that is broken', () => {
    const { cipher, kex, serverHostKey, hmac } = algorithmsFor(['ssh-rsa', 'ssh-dss'])
    const offered: string[] = [...cipher, ...kex, ...serverHostKey, ...hmac]
    expect(offered.filter((name) => /cbc|arcfour|3des|md5|sha1(?!\d)|ssh-dss|^ssh-rsa$/.test(name))).toEqual(
      [],
    )
  })

  test('begins with the kind of key that is known, so that a host with several shows that one', () => {
    expect(hostKeysOf([])[0]).toBe('ssh-ed25519')
    expect(hostKeysOf(['ecdsa-sha2-nistp384'])[0]).toBe('ecdsa-sha2-nistp384')
  })

  test('a known RSA key is asked for with SHA-2 signatures', () => {
    expect(hostKeysOf(['ssh-rsa']).slice(0, 2)).toEqual(['rsa-sha2-512', 'rsa-sha2-256'])
  })

  test('a known key takes no other kind away: the host may have got another', () => {
    expect(hostKeysOf(['ssh-rsa', 'of-the-future']).toSorted()).toEqual(hostKeysOf([]).toSorted())
  })

  test('is only what the crypto library of this run has', () => {
    vi.mocked(crypto.getCiphers).mockReturnValue(['aes-128-ctr', 'aes-256-gcm'])
    vi.mocked(crypto.getCurves).mockReturnValue(['prime256v1'])
    const { cipher, kex } = algorithmsFor([])
    expect(cipher).toEqual(['aes256-gcm@openssh.com', 'aes128-ctr'])
    expect(kex.filter((name) => name.startsWith('ecdh-'))).toEqual(['ecdh-sha2-nistp256'])
    expect(kex).toContain('diffie-hellman-group18-sha512')
  })

  test('is known to ssh2, which refuses to connect with any other name', () => {
    const client = new Client()
    client.on('error', () => undefined)
    expect(() =>
      client.connect({ host: '127.0.0.1', port: 1, username: 'nobody', algorithms: algorithmsFor([]) }),
    ).not.toThrow()
    client.destroy()
  })
})
