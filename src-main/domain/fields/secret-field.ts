import { Redactor } from '../base/redact.ts'

/** What stands in place of a secret. */
export const maskedText = '••••••'

const secretWords: ReadonlySet<string> = new Set([
  'apikey',
  'auth',
  'authorization',
  'bearer',
  'cookie',
  'credential',
  'credentials',
  'jwt',
  'key',
  'keys',
  'pass',
  'passphrase',
  'passwd',
  'password',
  'pwd',
  'secret',
  'secrets',
  'token',
  'tokens',
])

/** Keys that are made to be seen. */
const publicNames: ReadonlySet<string> = new Set(['ssh_key', 'ssh_keys', 'public_key', 'ssh_public_key'])

/**
 * Whether a field's name says that its value is a secret: `instance_api_key`, `jupyterToken`, `HF_TOKEN`,
 * but not `monkey`.
 */
export function isSecretName(name: string): boolean {
  if (publicNames.has(name.toLowerCase())) return false
  return name
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .some((word) => secretWords.has(word))
}

const shapes = new Redactor()

/** A value with everything in it that looks like a secret masked, at any depth; lists of pairs count as names and values. */
export function withoutSecrets(value: unknown): unknown {
  if (typeof value === 'string') return shapes.redact(value)
  if (Array.isArray(value)) {
    const items: readonly unknown[] = value
    const name = items.length === 2 ? items[0] : null
    if (typeof name === 'string' && isSecretName(name)) return [name, maskedText]
    return items.map(withoutSecrets)
  }
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(
      Object.entries(value).map(([name, inner]) => [
        name,
        isSecretName(name) ? maskedText : withoutSecrets(inner),
      ]),
    )
  return value
}
