import { createCipheriv, createHmac, pbkdf2Sync, randomBytes, scryptSync } from 'node:crypto'

// Exports of other authenticators, made by their documents: docs/vault.md of Aegis, the backup files of 2FAS,
// “Encrypted Exports” of Bitwarden's help, and Google Authenticator's migration message.

function gcm(key: Buffer, plain: Buffer | string) {
  const iv = randomBytes(12)
  const sealing = createCipheriv('aes-256-gcm', key, iv)
  const sealed = Buffer.concat([sealing.update(plain), sealing.final()])
  return { iv, sealed, tag: sealing.getAuthTag() }
}

export function aegisEntry(name: string, issuer: string, secret: string, more: object = {}) {
  const { info = {}, ...rest } = more as { readonly info?: object }
  return {
    type: 'totp',
    uuid: '01234567-89ab-cdef-0123-456789abcdef',
    name,
    issuer,
    note: 'a note',
    favorite: false,
    icon: null,
    info: { secret, algo: 'SHA1', digits: 6, period: 30, ...info },
    groups: [],
    ...rest,
  }
}

/** A vault of Aegis in plain text. */
export function plainAegis(entries: readonly unknown[], version = 3): string {
  const db = { version, entries, groups: [] }
  return JSON.stringify({ version: 1, header: { slots: null, params: null }, db }, null, 4)
}

/** @param cost what the slot says of scrypt; a file may lie, and then it isn't sealed at that cost */
export function sealAegis(
  entries: readonly unknown[],
  password: string,
  { cost = { n: 2 ** 15, r: 8, p: 1 }, slots = 1, otherSlots = [] as readonly unknown[] } = {},
): string {
  const masterKey = randomBytes(32)
  const passwordSlots = Array.from({ length: slots }, () => {
    const salt = randomBytes(32)
    const key = scryptSync(password, salt, 32, { N: 2 ** 15, r: 8, p: 1, maxmem: 64 * 1024 * 1024 })
    const wrapped = gcm(key, masterKey)
    return {
      type: 1,
      uuid: '01234567-89ab-cdef-0123-456789abcdef',
      key: wrapped.sealed.toString('hex'),
      key_params: { nonce: wrapped.iv.toString('hex'), tag: wrapped.tag.toString('hex') },
      ...cost,
      salt: salt.toString('hex'),
      repaired: true,
      is_backup: false,
    }
  })
  const db = gcm(masterKey, JSON.stringify({ version: 3, entries, groups: [] }))
  return JSON.stringify({
    version: 1,
    header: {
      slots: [...otherSlots, ...passwordSlots],
      params: { nonce: db.iv.toString('hex'), tag: db.tag.toString('hex') },
    },
    // As Android's JSON writes it.
    db: db.sealed.toString('base64'),
  }).replaceAll('/', '\\/')
}

const twoFasFile = {
  groups: [],
  updatedAt: 0,
  schemaVersion: 4,
  appVersionCode: 5_000_009,
  appOrigin: 'android',
}

export function plainTwoFas(services: readonly unknown[], more: object = {}): string {
  return JSON.stringify({ services, ...twoFasFile, ...more })
}

export function sealTwoFas(services: readonly unknown[], password: string): string {
  const salt = randomBytes(256)
  const { iv, sealed, tag } = gcm(pbkdf2Sync(password, salt, 10_000, 32, 'sha256'), JSON.stringify(services))
  const servicesEncrypted = [Buffer.concat([sealed, tag]), salt, iv]
    .map((part) => part.toString('base64'))
    .join(':')
  return JSON.stringify({ services: [], ...twoFasFile, servicesEncrypted, reference: servicesEncrypted })
}

export function bitwardenLogin(name: string, totp: string | null, more: object = {}) {
  return {
    id: 'ffdea2cc-923d-47a0-be99-ae7800fd51e4',
    organizationId: null,
    type: 1,
    name,
    notes: 'CANARY of a note',
    login: {
      uris: [{ match: null, uri: 'https://canary.example' }],
      username: 'CANARY',
      password: 'canary-of-a-login',
      totp,
    },
    ...more,
  }
}

export function plainBitwarden(items: readonly unknown[]): string {
  return JSON.stringify({ encrypted: false, folders: [], items }, null, 2)
}

export function sealBitwarden(
  plain: string,
  password: string,
  { iterations = 5000, ...more }: { readonly iterations?: number } & Record<string, unknown> = {},
): string {
  const salt = randomBytes(16).toString('base64')
  const masterKey = pbkdf2Sync(password, salt, iterations, 32, 'sha256')
  const [encryption, authentication] = ['enc\u0001', 'mac\u0001'].map((info) =>
    createHmac('sha256', masterKey).update(info).digest(),
  )
  if (!encryption || !authentication) throw new Error('no keys')
  const seal = (text: string): string => {
    const iv = randomBytes(16)
    const sealing = createCipheriv('aes-256-cbc', encryption, iv)
    const sealed = Buffer.concat([sealing.update(text), sealing.final()])
    const mac = createHmac('sha256', authentication).update(iv).update(sealed).digest()
    return `2.${[iv, sealed, mac].map((part) => part.toString('base64')).join('|')}`
  }
  return JSON.stringify({
    encrypted: true,
    passwordProtected: true,
    salt,
    kdfType: 0,
    kdfIterations: iterations,
    encKeyValidation_DO_NOT_EDIT: seal('f2a2b1a6-6d3f-4d2c-8b42-2f7a1cb6a5f3'),
    data: seal(plain),
    ...more,
  })
}

/** A message of Protocol Buffers: texts and bytes by length, numbers as varints. */
export function protobuf(
  fields: readonly (readonly [number: number, value: string | Buffer | number])[],
): Buffer {
  return Buffer.concat(
    fields.flatMap(([number, value]) => {
      if (typeof value === 'number') return [varint(number << 3), varint(value)]
      const bytes = Buffer.from(value)
      return [varint((number << 3) | 2), varint(bytes.length), bytes]
    }),
  )
}

function varint(value: number): Buffer {
  const bytes: number[] = []
  // Negative ones are of 64 bits, as those of int32 fields are.
  let rest = BigInt.asUintN(64, BigInt(value))
  for (; rest > 127n; rest >>= 7n) bytes.push(Number(rest & 127n) | 128)
  return Buffer.from([...bytes, Number(rest)])
}

export interface MigrationEntry {
  readonly secret: Buffer
  readonly name: string
  readonly issuer?: string
  readonly algorithm?: number
  readonly digits?: number
  readonly type?: number
}

/** A link of Google Authenticator's export. */
export function migrationLink(
  entries: readonly MigrationEntry[],
  { size = 1, index = 0, id = -1_234_567 } = {},
): string {
  const messages = entries.map(
    ({ secret, name, issuer = '', algorithm = 1, digits = 1, type = 2 }) =>
      [
        1,
        protobuf([
          [1, secret],
          [2, name],
          [3, issuer],
          [4, algorithm],
          [5, digits],
          [6, type],
        ]),
      ] as const,
  )
  const payload = protobuf([...messages, [2, 1], [3, size], [4, index], [5, id]])
  return `otpauth-migration://offline?data=${encodeURIComponent(payload.toString('base64'))}`
}
