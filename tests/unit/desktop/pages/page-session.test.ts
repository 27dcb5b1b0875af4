import { describe, expect, it } from 'vitest'
import { originOf } from '../../../../src-main/desktop/pages/page-session.ts'

describe('originOf', () => {
  it('knows the origin of schemes that Node has none for', () => {
    expect(originOf('app://slipway/index.html#/offers')).toBe('app://slipway')
    expect(originOf('app://slipway')).toBe('app://slipway')
    expect(originOf('http://localhost:5173/x')).toBe('http://localhost:5173')
  })

  it('security: takes no look-alike for the page', () => {
    for (const url of [
      'app://slipway.example/',
      'app://other@slipway2/',
      'https://app//slipway',
      '',
      'slipway',
    ])
      expect(originOf(url)).not.toBe('app://slipway')
  })
})
