import { describe, expect, it } from 'vitest'
import { pageAddress } from '../../../../src-main/desktop/pages/page-address.ts'

describe('pageAddress', () => {
  it('is the app scheme, and trusts nothing else', () => {
    expect(pageAddress({ isPackaged: false, developmentUrl: undefined })).toEqual({
      origin: 'app://slipway',
      url: 'app://slipway/index.html',
    })
  })

  it('is the development server while Slipway is not installed', () => {
    expect(pageAddress({ isPackaged: false, developmentUrl: 'http://localhost:5173' })).toEqual({
      origin: 'http://localhost:5173',
      url: 'http://localhost:5173/',
    })
  })

  it('security: an installed app ignores the environment', () => {
    const { origin } = pageAddress({ isPackaged: true, developmentUrl: 'https://attacker.example' })
    expect(origin).toBe('app://slipway')
  })
})
