import { describe, expect, it } from 'vitest'
import { allowConnection } from '../../electron-on-chromium/page-server.ts'

describe('allowConnection', () => {
  const url = 'ws://127.0.0.1:1/ports'

  it('adds one address to the policy and changes nothing else', () => {
    expect(allowConnection("default-src 'none'; connect-src 'none'; font-src 'self'", url)).toBe(
      `default-src 'none'; connect-src ${url}; font-src 'self'`,
    )
    expect(allowConnection("connect-src 'self'; img-src data:", url)).toBe(
      `connect-src 'self' ${url}; img-src data:`,
    )
    expect(allowConnection("default-src 'none'", url)).toBe(`default-src 'none'; connect-src ${url}`)
  })
})
