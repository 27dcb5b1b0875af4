import { expect, test } from 'vitest'
import { reusedDirectText, storedKeyText } from '../../../../src-renderer/shared/ssh/host-key-text.ts'

const direct = { host: '203.0.113.5', port: 40_022 }
const proxy = { host: 'ssh4.example.com', port: 31_022 }

test('a stored key that the instance isn’t known by is told with its address, and as what it may be', () => {
  expect(storedKeyText({ address: proxy, keys: [] })).toMatch(
    /^Another host key is stored for the instance’s other address, ssh4\.example\.com:31022\. .* or one you trusted for it before, without a login\./,
  )
})

test('an alarm at a direct address names the other way to the instance, where there is one', () => {
  expect(reusedDirectText(direct, { direct, proxy })).toBe(
    'Another instance may have this direct address now. If so, don’t forget the key: on the instance’s page, under Connect, choose the service’s SSH address.',
  )
  expect(reusedDirectText(proxy, { direct, proxy })).toBeNull()
  expect(reusedDirectText(direct, { direct, proxy: null })).toBeNull()
  expect(reusedDirectText(direct, { direct, proxy: direct })).toBeNull()
})
