import type { CloudField, CloudProvider } from '#domain/cloud/cloud-connection.ts'

interface ProviderText {
  /** With the service's own word for it, which the list shows too. */
  readonly label: string
  /** What the storage is, and what is needed for it. */
  readonly about: string
  readonly fields: Readonly<Partial<Record<CloudField, FieldText>>>
}
interface FieldText {
  readonly label?: string
  readonly help: string
}

const onceShown = 'Most providers show it only once, when you create the key.'

export const providerTexts: Readonly<Record<CloudProvider, ProviderText>> = {
  s3: {
    label: 'Object store (s3)',
    about:
      'Object storage in buckets, with an access key. Create a separate key, limited to the buckets that your instances need.',
    fields: {
      access_key: { help: 'The access key ID, not the secret.' },
      secret_access_key: { help: `The secret for this access key. ${onceShown}` },
    },
  },
  b2: {
    label: 'Bucket store (b2)',
    about:
      'Storage in buckets, with an application key. Create a separate key, limited to the bucket that your instances need.',
    fields: {
      key_id: { help: 'The ID of the application key.' },
      application_key: { help: `The application key itself. ${onceShown}` },
    },
  },
  hf: {
    label: 'Model hub bucket (hf)',
    about: 'A storage bucket on the model hub, with an access key of the hub.',
    fields: {
      namespace: { help: 'The user or organization in the bucket’s address, without slashes.' },
      access_key: { help: 'The access key ID, which starts with HFAK.' },
      secret_access_key: { help: `The secret for this access key. ${onceShown}` },
    },
  },
  drive: {
    label: 'Drive (drive)',
    about: 'A drive that asks for your consent in the browser.',
    fields: {
      code: {
        label: 'Code or redirect address',
        help: 'The code, or the whole address that contains “code=”.',
      },
    },
  },
  filesync: {
    label: 'File sync (filesync)',
    about:
      'A file synchronization service that asks for your consent in the browser. The connection takes its name from there.',
    fields: {
      code: {
        label: 'Code or redirect address',
        help: 'The code, or the whole address that contains “code=” and “state=”.',
      },
      state: {
        help: 'The value after “state=” in the same address. Slipway takes it from a pasted address.',
      },
    },
  },
}

const labels: Readonly<Record<CloudField, string>> = {
  user_given_name: 'Name',
  access_key: 'Access key',
  secret_access_key: 'Secret access key',
  namespace: 'Namespace',
  application_key: 'Application key',
  key_id: 'Key ID',
  code: 'Code',
  state: 'State',
}
const nameHelp = 'A name to recognize the connection by. You can’t change it later.'

export function fieldLabel(provider: CloudProvider, field: CloudField): string {
  return providerTexts[provider].fields[field]?.label ?? labels[field]
}

export function fieldHelp(provider: CloudProvider, field: CloudField): string {
  return providerTexts[provider].fields[field]?.help ?? nameHelp
}

/** How to come to a code: the API does not tell where the provider asks (service API 4.1). */
export const consentSteps: readonly string[] = [
  'Start connecting the provider to the service in your browser: the service’s API doesn’t say where the provider’s consent page is.',
  'Agree there. The browser then opens an address that contains “code=”: copy that address at once.',
  'Paste the address below. A code works once: if the service has already used it, the connection exists, and Refresh shows it.',
]

/** The provider of a listed connection; one that Slipway does not know keeps the service's word. */
export function providerName(cloudType: string): string {
  const known = Object.entries(providerTexts).find(([provider]) => provider === cloudType)
  return known?.[1].label ?? cloudType
}
