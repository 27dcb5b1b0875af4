import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { faultOfIssue } from '#domain/base/fault-of-issue.ts'
import type { InputFault } from '#domain/base/input-fault.ts'
import {
  cloudConnection,
  cloudFields,
  cloudProviders,
  cloudSchemas,
  newCloudConnection,
  secretsOf,
  type CloudField,
  type CloudProvider,
  readRedirect,
} from '#domain/cloud/cloud-connection.ts'

type CloudDraft = Readonly<Partial<Record<CloudField, string>>>

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

/** What is wrong with each field, first. */
function faultsOf(
  provider: CloudProvider,
  change: CloudDraft,
): Readonly<Partial<Record<CloudField, InputFault>>> {
  const typed = { provider, ...good[provider], ...change }
  const issues = newCloudConnection.safeParse(typed).error?.issues ?? []
  return Object.fromEntries(issues.toReversed().map((issue) => [issue.path.join('.'), faultOfIssue(issue)]))
}

describe.each(cloudProviders)('%s', (provider) => {
  test('sends its own fields and no others, without what was pasted around them', () => {
    expect(Object.keys(cloudSchemas[provider].shape).sort()).toEqual(
      ['provider', ...cloudFields[provider]].sort(),
    )
    const padded = Object.fromEntries(
      Object.entries(good[provider]).map(([field, value]) => [field, ` ${value}\n`]),
    )
    expect(newCloudConnection.parse({ provider, ...padded })).toEqual({ provider, ...good[provider] })
  })

  test('asks for each field that is empty, at that field', () => {
    for (const field of cloudFields[provider])
      for (const empty of ['', ' '])
        expect(faultsOf(provider, { [field]: empty })).toEqual({ [field]: { code: 'missing' } })
  })

  test('counts everything as a secret but the name and the namespace', () => {
    const secrets = secretsOf(newCloudConnection.parse({ provider, ...good[provider] }))
    expect(secrets).toEqual(Object.values(good[provider]).filter((value) => value.includes('canary')))
  })
})

test.each([
  ['s3', 'access_key', 'AK one', { code: 'has-space' }],
  ['s3', 'secret_access_key', 'one\ntwo', { code: 'has-invisible' }],
  ['b2', 'application_key', 'x'.repeat(4001), { code: 'too-long', most: 4000 }],
  ['hf', 'access_key', 'hfak-canary', { code: 'wrong-form' }],
  ['hf', 'namespace', 'ada/data', { code: 'wrong-form' }],
  ['hf', 'namespace', '..', { code: 'wrong-form' }],
  ['hf', 'namespace', 'ada lovelace', { code: 'wrong-form' }],
  ['hf', 'namespace', 'https://hub.example/ada', { code: 'wrong-form' }],
  ['drive', 'code', 'https://x.example/consent', { code: 'no-code' }],
  [
    'drive',
    'code',
    'https://x.example/cb?error=access_denied',
    { code: 'access-denied', said: 'access_denied' },
  ],
  ['filesync', 'state', 'a\u0000b', { code: 'has-invisible' }],
] as const)('%s: a wrong %s is told at the field (%#)', (provider, field, value, fault) => {
  expect(faultsOf(provider, { [field]: value })).toEqual({ [field]: fault })
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
        expect(faultsOf('hf', { namespace: typed }).namespace === undefined).toBe(isOneSegment)
      },
    ),
  )
})

test('what the service adds to a record is not let through: it may be a secret of the provider', () => {
  const record = { id: 1, cloud_type: 's3', user_given_name: 'Data', secret_access_key: 'canary' }
  expect(cloudConnection.parse(record)).toEqual({ id: 1, cloud_type: 's3', user_given_name: 'Data' })
  expect(cloudConnection.parse({ id: 1 })).toEqual({ id: 1, cloud_type: '', user_given_name: '' })
})

test.each([
  ['https://console.example/cb?code=4%2F0AX&state=s%201', { code: '4/0AX', state: 's 1' }],
  ['  https://console.example/cb?state=s&code=c#top \n', { code: 'c', state: 's' }],
  ['https://console.example/#/cloud?code=c&state=s', { code: 'c', state: 's' }],
  ['https://console.example/cb#state=s&code=c', { code: 'c', state: 's' }],
  ['https://console.example/cb?code=c', { code: 'c', state: null }],
  ['console.example/cb?code=c&state=', { code: 'c', state: null }],
  ['?code=c&state=s', { code: 'c', state: 's' }],
  ['code=c&state=s', { code: 'c', state: 's' }],
])('the end of a flow: %s', (pasted, granted) => {
  expect(readRedirect(pasted)).toEqual({ kind: 'granted', ...granted })
})

test.each(['4/0AX-y_z', 'abc==', 'aGVsbG8=state', ''])('a code alone is no address: %j', (pasted) => {
  expect(readRedirect(pasted)).toEqual({ kind: 'plain' })
})

test('what the provider says when it does not agree', () => {
  expect(readRedirect('https://x.example/cb?error=access_denied&error_description=Not+you&state=s')).toEqual({
    kind: 'denied',
    error: 'access_denied',
    description: 'Not you',
  })
})

test.each(['https://accounts.example/consent', 'https://x.example/cb?state=s', 'https://x.example/cb?code='])(
  'an address without a code: %s',
  (pasted) => expect(readRedirect(pasted)).toEqual({ kind: 'nothing' }),
)

test('any code and state come out of an address as the provider put them in', () => {
  fc.assert(
    fc.property(fc.string({ minLength: 1 }), fc.string({ minLength: 1 }), (code, state) => {
      const address = `https://x.example/cb?${new URLSearchParams({ state, code }).toString()}`
      expect(readRedirect(address)).toEqual({ kind: 'granted', code, state })
    }),
  )
})
