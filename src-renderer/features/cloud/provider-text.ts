import type { CloudField, CloudProvider } from '#domain/cloud/cloud-connection.ts'

interface ProviderText {
  /** With the service's own word for it, which the list shows too. */
  readonly label: string
  /** What it is, and what is needed of it. */
  readonly about: string
  readonly fields: Readonly<Partial<Record<CloudField, FieldText>>>
}
interface FieldText {
  readonly label?: string
  readonly help: string
}

const onceShown = 'Most stores show it only once, when the key is made.'

export const providerTexts: Readonly<Record<CloudProvider, ProviderText>> = {
  s3: {
    label: 'Object store (s3)',
    about:
      'A store of objects in buckets that is reached with an access key. Make a key for this alone, limited to the buckets that your machines need.',
    fields: {
      access_key: { help: 'The access key id, not the secret.' },
      secret_access_key: { help: `What belongs to this access key. ${onceShown}` },
    },
  },
  b2: {
    label: 'Bucket store (b2)',
    about:
      'A store of buckets that is reached with an application key. Make one for this alone, limited to the bucket that your machines need.',
    fields: {
      key_id: { help: 'The id of the application key.' },
      application_key: { help: `The application key itself. ${onceShown}` },
    },
  },
  hf: {
    label: 'Model hub bucket (hf)',
    about: 'A storage bucket at the model hub, which is reached with an access key of the hub.',
    fields: {
      namespace: { help: 'The user or organization in the bucket’s address, without slashes.' },
      access_key: { help: 'The access key id. It begins with HFAK.' },
      secret_access_key: { help: `What belongs to this access key. ${onceShown}` },
    },
  },
  drive: {
    label: 'Drive (drive)',
    about: 'A drive that asks you in the browser whether the service may use it.',
    fields: {
      code: {
        label: 'Code or redirect address',
        help: 'The code alone, or the whole address that holds “code=”.',
      },
    },
  },
  filesync: {
    label: 'File sync (filesync)',
    about:
      'A file synchronisation service that asks you in the browser. The connection takes its name from there, so none is asked for here.',
    fields: {
      code: {
        label: 'Code or redirect address',
        help: 'The code alone, or the whole address that holds “code=” and “state=”.',
      },
      state: { help: 'What stands after “state=” in the same address. It is taken from a pasted address.' },
    },
  },
}

const labels: Readonly<Record<CloudField, string>> = {
  user_given_name: 'Name',
  access_key: 'Access key',
  secret_access_key: 'Secret access key',
  namespace: 'Namespace',
  application_key: 'Application key',
  key_id: 'Key id',
  code: 'Code',
  state: 'State',
}
const nameHelp = 'As you want to find it again. The service does not let it be changed later.'

export function fieldLabel(provider: CloudProvider, field: CloudField): string {
  return providerTexts[provider].fields[field]?.label ?? labels[field]
}

export function fieldHelp(provider: CloudProvider, field: CloudField): string {
  return providerTexts[provider].fields[field]?.help ?? nameHelp
}

/** How to come to a code: the API does not tell where the provider asks (service API 4.1). */
export const consentSteps: readonly string[] = [
  'Begin to connect the provider with the service, in your browser: its API doesn’t say where the provider’s consent page is.',
  'Agree there. The browser then goes to an address that holds “code=”: copy it at once.',
  'Paste it below. A code is good once: if the service has used it already, the connection is made, and Refresh shows it.',
]

/** The provider of a listed connection; one that Slipway does not know keeps the service's word. */
export function providerName(cloudType: string): string {
  const known = Object.entries(providerTexts).find(([provider]) => provider === cloudType)
  return known?.[1].label ?? cloudType
}
