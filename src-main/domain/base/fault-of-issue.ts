import { inputFault, type InputFault } from './input-fault.ts'

/** What is read of an issue of zod. Calls' input is checked through an interface that promises only the path. */
interface Issue {
  readonly path?: unknown
  readonly code?: string | undefined
  readonly origin?: string | undefined
  readonly minimum?: number | bigint | undefined
  readonly maximum?: number | bigint | undefined
  /** Whether the bound itself is allowed. */
  readonly inclusive?: boolean | undefined
  readonly params?: Readonly<Record<string, unknown>> | undefined
}

/** The fault that a failed check of a schema stands for. Zod's own message is never shown. */
export function faultOfIssue({ code, origin, minimum, maximum, inclusive, params }: Issue): InputFault {
  switch (code) {
    case 'custom':
      return inputFault.safeParse(params?.['fault']).data ?? { code: 'wrong-value' }
    case 'invalid_format':
      return { code: 'wrong-form' }
    case 'too_big':
      return { code: tooMuch[origin ?? ''] ?? 'too-large', most: Number(maximum) }
    case 'too_small':
      if (inclusive === false) return { code: 'wrong-value' }
      if (origin !== 'string') return { code: 'too-small', least: Number(minimum) }
      return minimum === 1 ? { code: 'missing' } : { code: 'too-short', least: Number(minimum) }
    default:
      return { code: 'wrong-value' }
  }
}

const tooMuch: Readonly<Record<string, 'too-long' | 'too-many'>> = {
  string: 'too-long',
  array: 'too-many',
  set: 'too-many',
}
