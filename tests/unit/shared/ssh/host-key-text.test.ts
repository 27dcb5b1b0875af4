import { expect, test } from 'vitest'
import {
  againstInstanceText,
  listedKeyText,
  reusedDirectText,
  storedKeyText,
  trustText,
} from '../../../../src-renderer/shared/ssh/host-key-text.ts'

const direct = { host: '203.0.113.5', port: 40_022 }
const proxy = { host: 'ssh4.example.com', port: 31_022 }

test('a stored key that the instance isn’t known by is told with its address, and as what it may be', () => {
  expect(storedKeyText({ address: proxy, keys: [] })).toMatch(
    /^Another host key is stored for the instance’s other address, ssh4\.example\.com:31022\. .* or one you trusted for it before, without a login\./,
  )
})

test('a key that known_hosts has for the address is told as what it may be, or as whose it is', () => {
  expect(listedKeyText({ keyOf: null })).toMatch(/an earlier instance or to another account’s instance\./)
  expect(listedKeyText({ keyOf: 9 })).toMatch(
    /logged in to instance 9 with it\. The address may still lead to that/,
  )
})

test('a key that was trusted before any login isn’t told as one that the instance showed', () => {
  expect(againstInstanceText({ keys: [], lastAddress: null, keyOf: 9 })).toBe(
    'You trusted another key for this instance. The key it shows now is the key of instance 9.',
  )
  expect(againstInstanceText({ keys: [], lastAddress: direct, keyOf: null })).toBe(
    'This instance showed another key before, last at 203.0.113.5:40022.',
  )
})

test('trusting a key says for which addresses: this one, and the other after a login, unless that has a key of its own', () => {
  const offered = { algorithm: 'ssh-ed25519', fingerprint: 'SHA256:a' }
  const question = { kind: 'unknown-host', address: direct, offered } as const
  const warning =
    'From then on, Slipway connects only to a host that has this key, and warns you if another one answers.'
  expect(trustText(question)).toBe(`If you trust it, Slipway stores this key for this address. ${warning}`)
  expect(trustText({ ...question, alsoAt: [proxy] })).toBe(
    `If you trust it, Slipway stores this key for this address. After the first login, the key also counts at the instance’s other address, ssh4.example.com:31022. ${warning}`,
  )
  expect(trustText({ ...question, stored: { address: proxy, keys: [] } })).toContain(
    'The other address’s stored key stays: Slipway warns you when it connects there.',
  )
  expect(trustText({ ...question, listed: { keyOf: null } })).toContain('stores this key for this instance.')
  expect(trustText({ ...question, formerly: { instanceId: 9, fate: 'gone' }, alsoAt: [proxy] })).toMatch(
    /replaces the key of instance 9 for this address\. After the first login, the key also counts at/,
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
