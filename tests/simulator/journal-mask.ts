import { ApiError } from './api-error.ts'
import { readEnvFlags } from './env-flags.ts'
import { parseJson } from './json.ts'

/** Fields of the service's bodies that hold secrets and do not sound like it. */
const SECRET_FIELDS: ReadonlySet<string> = new Set(['code', 'backup_code'])
const SECRET_LOOKING = /key|token|secret|pass|pwd|credential|auth/i
const CLOUD_PATH = '/api/v0/users/cloud'
const MASK = '***'

/** A body with its secrets masked: fields that hold them, or have a name as if they did. */
export function maskBody(path: string, body: unknown): unknown {
  // The state of an OAuth flow is a secret, that of an instance is not.
  return mask(body, (name) => SECRET_FIELDS.has(name) || (name === 'state' && path.startsWith(CLOUD_PATH)))
}

/** A path with its query, in which the same is masked, also inside values that are JSON. */
export function maskPath(path: string, search: string): string {
  const parameters = [...new URLSearchParams(search)]
  const masked = parameters.map(([name, value]) => [name, maskParameter(name, value)])
  const isClean = masked.every(([, value], index) => value === parameters[index]?.[1])
  return path + (isClean ? search : `?${new URLSearchParams(masked).toString()}`)
}

function maskParameter(name: string, value: string): string {
  if (SECRET_LOOKING.test(name)) return MASK
  if (/^[\w.-]*$/.test(value)) return value
  try {
    const parsed = parseJson(value)
    const safe = JSON.stringify(mask(parsed, () => false))
    return safe === JSON.stringify(parsed) ? value : safe
  } catch (error) {
    // Nothing tells what is in it.
    if (error instanceof ApiError) return MASK
    throw error
  }
}

function mask(value: unknown, isSecretField: (name: string) => boolean): unknown {
  if (Array.isArray(value)) return value.map((item: unknown) => mask(item, isSecretField))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]: [string, unknown]) => {
      // That there is none is no secret.
      if (inner === '') return [name, inner]
      if (isSecretField(name) || SECRET_LOOKING.test(name)) return [name, MASK]
      return [name, name === 'env' ? maskEnv(inner) : mask(inner, isSecretField)]
    }),
  )
}

/** An environment as an object, or as the flags of a template; nothing is kept that is neither. */
function maskEnv(env: unknown): unknown {
  if (typeof env === 'object' && !Array.isArray(env)) return mask(env, () => false)
  const isClean = typeof env === 'string' && readEnvFlags(env).kind === 'env' && !SECRET_LOOKING.test(env)
  return isClean ? env : MASK
}
