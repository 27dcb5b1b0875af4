import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  cloudConnection,
  cloudFields,
  cloudProviders,
  newCloudConnection,
  readCloudDraft,
  secretsOf,
  type CloudDraft,
  type CloudProvider,
} from '#domain/cloud/cloud-connection.ts'

const good: Readonly<Record<CloudProvider, CloudDraft>> = {
  s3: { user_given_name: 'Data', access_key: 'AK-canary', secret_access_key: 'SK-canary' },
  b2: { user_given_name: 'Data', key_id: 'KI-canary', application_key: 'AP-canary' },
  hf: {
    user_given_name: 'Data',
    namespace: 'ada',
    access_key: 'HFAK-canary',
    secret_access_key: 'SK-canary',
  },
  drive: { user_given_name: 'Data', code: '4/canary' },
  filesync: { code: '4/canary', state: 'state-canary' },
}

function errorsOf(provider: CloudProvider, change: CloudDraft): CloudDraft {
  const read = readCloudDraft(provider, { ...good[provider], ...change })
  return read.ok ? {} : read.errors
}

describe.each(cloudProviders)('%s', (provider) => {
  test('sends its own fields and no others, without what was pasted around them', () => {
    const typed = { ...Object.assign({}, ...Object.values(good)), ...good[provider] } as CloudDraft
    const padded = Object.fromEntries(Object.entries(typed).map(([field, value]) => [field, ` ${value}\n`]))
    const read = readCloudDraft(provider, padded)
    expect(read).toEqual({ ok: true, connection: { provider, ...good[provider] } })
    expect(Object.keys(read.ok ? read.connection : {}).sort()).toEqual(
      ['provider', ...cloudFields[provider]].sort(),
    )
  })

  test('asks for each field that is empty, at that field', () => {
    const read = readCloudDraft(provider, {})
    expect(Object.keys(read.ok ? {} : read.errors).sort()).toEqual([...cloudFields[provider]].sort())
    for (const field of cloudFields[provider])
      expect(Object.keys(errorsOf(provider, { [field]: ' ' }))).toEqual([field])
  })

  test('counts everything as a secret but the name and the namespace', () => {
    const secrets = secretsOf(newCloudConnection.parse({ provider, ...good[provider] }))
    expect(secrets).toEqual(Object.values(good[provider]).filter((value) => value.includes('canary')))
  })
})

test.each([
  ['s3', 'access_key', 'AK one', /space/],
  ['s3', 'secret_access_key', 'one\ntwo', /line break/],
  ['b2', 'application_key', 'x'.repeat(4001), /longer/],
  ['hf', 'access_key', 'hfak-canary', /begins with HFAK/],
  ['hf', 'namespace', 'ada/data', /no slash/],
  ['hf', 'namespace', '..', /no slash/],
  ['hf', 'namespace', 'ada lovelace', /no space/],
  ['hf', 'namespace', 'https://hub.example/ada', /not the whole address/],
  ['drive', 'code', 'https://x.example/consent', /holds no code/],
  ['drive', 'code', 'https://x.example/cb?error=access_denied', /did not agree: access_denied/],
  ['filesync', 'state', 'a\u0000b', /does not show/],
] as const)('%s: a wrong %s is told at the field (%#)', (provider, field, value, message) => {
  const errors = errorsOf(provider, { [field]: value })
  expect(Object.keys(errors)).toEqual([field])
  expect(errors[field]).toMatch(message)
})

test('a namespace that is taken is one segment of a path that needs no escape', () => {
  fc.assert(
    fc.property(
      fc.string({
        maxLength: 5,
        unit: fc.constantFrom('a', 'Z', '9', '.', '_', '~', '-', '/', ' ', '%', '?', '#', 'ü'),
      }),
      (typed) => {
        const text = typed.trim()
        const { pathname } = new URL(`https://hub.example/${text}/bucket`)
        const isOneSegment = text !== '' && !/[/%]/.test(text) && pathname === `/${text}/bucket`
        expect(errorsOf('hf', { namespace: typed }).namespace === undefined).toBe(isOneSegment)
      },
    ),
  )
})

test('what the service adds to a record is not let through: it may be a secret of the provider', () => {
  const record = { id: 1, cloud_type: 's3', user_given_name: 'Data', secret_access_key: 'canary' }
  expect(cloudConnection.parse(record)).toEqual({ id: 1, cloud_type: 's3', user_given_name: 'Data' })
  expect(cloudConnection.parse({ id: 1 })).toEqual({ id: 1, cloud_type: '', user_given_name: '' })
})
