import { z } from 'zod'
import type { Account } from './accounts.ts'
import { type Endpoint, keyedEndpoint, noBody, noParams, noQuery } from './endpoint.ts'

/** A linked cloud storage account, as the service returns it (service API 2.1). */
interface CloudConnection {
  readonly id: number
  readonly cloud_type: string
  readonly user_given_name: string
}

const text = z.string().min(1)
const isUrlSafeSegment = (name: string): boolean => /^[\w.~-]+$/.test(name) && !/^\.{1,2}$/.test(name)

/** What each provider needs, and nothing that another one needs (service API 4.1). */
const newConnectionBody = z.discriminatedUnion('provider', [
  z.strictObject({ provider: z.literal('drive'), user_given_name: text, code: text }),
  z.strictObject({
    provider: z.literal('s3'),
    user_given_name: text,
    access_key: text,
    secret_access_key: text,
  }),
  z.strictObject({ provider: z.literal('b2'), user_given_name: text, application_key: text, key_id: text }),
  // It takes its name from the OAuth flow.
  z.strictObject({ provider: z.literal('filesync'), code: text, state: text }),
  z.strictObject({
    provider: z.literal('hf'),
    user_given_name: text,
    access_key: text.startsWith('HFAK', 'must begin with HFAK'),
    secret_access_key: text,
    namespace: z.string().refine(isUrlSafeSegment, 'expected one URL-safe path segment'),
  }),
])

const path = '/api/v0/users/cloud/'
const FIRST_ID = 90_001
/** How a code or an access key ends that the provider does not accept. */
const REFUSED = '-refused'

/** The cloud connections (service API 4.1). They are kept, and nothing is ever sent to a provider. */
export function cloudEndpoints(): readonly Endpoint[] {
  const connections = new Map<Account, readonly CloudConnection[]>()
  let nextId = FIRST_ID
  const connectionsOf = (account: Account): readonly CloudConnection[] => connections.get(account) ?? []

  return [
    keyedEndpoint({
      method: 'GET',
      path,
      access: 'user_read',
      params: noParams,
      query: noQuery,
      body: noBody,
      answer: ({ caller }) => connectionsOf(caller.account),
    }),
    keyedEndpoint({
      method: 'POST',
      path,
      access: 'misc',
      params: noParams,
      query: noQuery,
      body: newConnectionBody,
      answer({ caller: { account }, body }) {
        const credential = 'code' in body ? body.code : 'key_id' in body ? body.key_id : body.access_key
        if (credential.endsWith(REFUSED)) return { success: false, msg: 'The provider did not accept this.' }
        const name = body.provider === 'filesync' ? `Files of ${account.fullName}` : body.user_given_name
        const connection = { id: nextId++, cloud_type: body.provider, user_given_name: name }
        connections.set(account, [...connectionsOf(account), connection])
        return { success: true, msg: `The connection ${name} was added.` }
      },
    }),
  ]
}
