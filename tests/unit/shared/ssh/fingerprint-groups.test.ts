import { describe, expect, it } from 'vitest'
import { fingerprintGroups } from '#shared/ssh/fingerprint-groups.ts'

describe('a fingerprint', () => {
  it('is cut into groups that together are the whole of it', () => {
    const digest = 'uNiVztksCsDhcc0u9e8BgrJXVGDHFFnHI9p7zSKq3L0'
    const { hash, groups } = fingerprintGroups(`SHA256:${digest}`)
    expect(hash).toBe('SHA256:')
    expect(groups).toHaveLength(11)
    expect(groups.join('')).toBe(digest)
  })

  it('without the name of its hash is shown all the same', () => {
    expect(fingerprintGroups('abcdef')).toEqual({ hash: '', groups: ['abcd', 'ef'] })
  })
})
