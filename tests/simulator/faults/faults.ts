import { z } from 'zod'
import { LONGEST_DELAY_MS } from '../clock.ts'

/** Which requests a fault is played on; each fault is used up after `times` of them. */
const target = {
  /** `*` stands for any method. */
  method: z.enum(['*', 'GET', 'POST', 'PUT', 'DELETE']).default('*'),
  /** Path without the query; `*` in it stands for any characters. */
  path: z.string().default('*'),
  times: z.int().positive().default(1),
}
const pauseMs = z.number().nonnegative().max(LONGEST_DELAY_MS)
/** A refusal comes before the work, unless it is meant to hide that the work was done. */
const refusal = { ...target, after_work: z.boolean().default(false) }

/** A fault as `POST /_simulator/faults` takes it. README.md says what each kind does. */
export const faultSchema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('delay'), ...target, ms: pauseMs }),
  z.strictObject({ kind: z.literal('reset-before'), ...target }),
  z.strictObject({ kind: z.literal('reset-after'), ...target }),
  z.strictObject({
    kind: z.literal('429'),
    ...refusal,
    /** Seconds, sent as the Retry-After header; without it there is no such header. */
    retry_after: z.number().nonnegative().optional(),
    /** `api`: `{error, msg}`; `detail`: `{detail}`; `text`: plain text. All three are seen in practice. */
    shape: z.enum(['api', 'detail', 'text']).default('api'),
  }),
  z.strictObject({ kind: z.literal('500'), ...refusal }),
  z.strictObject({ kind: z.literal('502-html'), ...refusal }),
  z.strictObject({ kind: z.literal('503'), ...refusal }),
  z.strictObject({
    kind: z.literal('refused'),
    ...refusal,
    status: z.int().min(400).max(599).default(400),
    /** The code, in the API's shape. */
    error: z.string().min(1),
  }),
  z.strictObject({ kind: z.literal('malformed-json'), ...target }),
  z.strictObject({
    kind: z.literal('wrong-types'),
    ...target,
    /** Only fields of these names become wrong; without it all do. */
    fields: z.array(z.string()).optional(),
    /** Only the record at this place of the reply's list; the first is 1. */
    record: z.int().positive().optional(),
  }),
  z.strictObject({
    kind: z.literal('missing-fields'),
    ...target,
    /** Names of the fields that are left out, wherever they are. */
    fields: z.array(z.string()).min(1),
  }),
  z.strictObject({ kind: z.literal('truncated'), ...target }),
  z.strictObject({ kind: z.literal('endless'), ...target }),
  z.strictObject({ kind: z.literal('deep'), ...target }),
  z.strictObject({
    kind: z.literal('slow-drip'),
    ...target,
    /** Pause between two pieces of the body. */
    ms: pauseMs.default(100),
    pieces: z.int().positive().default(10),
  }),
])

/** A fault with its defaults filled in. */
export type Fault = z.output<typeof faultSchema>
/** A fault as tests write it. */
export type FaultOrder = z.input<typeof faultSchema>

export interface Faults {
  /** Adds faults behind those that are waiting. */
  add(...orders: readonly FaultOrder[]): void
  /** What is still waiting, each with the number of times left. */
  waiting(): readonly Fault[]
  clear(): void
  /** The fault for this request, counted as used; the first that fits is taken, one for a request. */
  take(method: string, path: string): Fault | null
}

export function createFaults(): Faults {
  let waiting: readonly Fault[] = []
  return {
    add(...orders) {
      waiting = [...waiting, ...orders.map((order) => faultSchema.parse(order))]
    },
    waiting: () => waiting,
    clear() {
      waiting = []
    },
    take(method, path) {
      const fault = waiting.find((each) => isMeant(each, method, path))
      if (fault === undefined) return null
      const times = fault.times - 1
      waiting = waiting.flatMap((each) => (each !== fault ? [each] : times > 0 ? [{ ...each, times }] : []))
      return fault
    },
  }
}

const isMeant = (fault: Fault, method: string, path: string): boolean =>
  (fault.method === '*' || fault.method === method) && fits(fault.path, path)

/** Whether a pattern fits a path. Not by a regular expression, which many stars would keep busy for ever. */
function fits(pattern: string, path: string): boolean {
  const [start = '', ...pieces] = pattern.split('*')
  const end = pieces.pop()
  if (end === undefined) return path === pattern
  if (!path.startsWith(start)) return false
  let at = start.length
  for (const piece of pieces) {
    const found = path.indexOf(piece, at)
    if (found === -1) return false
    at = found + piece.length
  }
  return path.length - end.length >= at && path.endsWith(end)
}
