import type { Log } from '../../domain/base/log.ts'
import type { Compress } from '../../domain/renting/onstart.ts'
import { ProblemError } from '../../domain/base/problem.ts'
import type { RentBody } from '../../domain/renting/rent-body.ts'
import type {
  FreshInstanceKey,
  RentDraft,
  RentOptions,
  RentPreview,
  RentRequest,
  RentResult,
} from '../../domain/renting/rent-request.ts'
import type { PublicKey } from '../../domain/ssh/ssh-key.ts'
import { createBody, previewBody, withLatestHash } from './create-body.ts'
import type { Orders } from './orders.ts'
import type { Renting } from './renting.ts'

export interface RentalRequestsOptions {
  readonly renting: Pick<Renting, 'rent'>
  readonly orders: Pick<Orders, 'keep'>
  /** This machine's key; `null` when there is none yet. */
  readonly publicKey: () => PublicKey | null
  readonly compress: Compress
  /** Keeps the own key of an instance. @throws ProblemError when it could not be kept */
  readonly keepKey: (instanceId: number, key: string) => Promise<{ readonly keptIn: 'keychain' | 'memory' }>
  /** The hash id that a template has now: it may have been edited since it was chosen. */
  readonly latestHash: (hash: string) => string
  readonly log: Log
}

/** What the rent sheet calls: what would be sent, and sending it. */
export interface RentalRequests {
  readonly preview: (draft: RentDraft) => RentPreview
  readonly rent: (request: RentRequest) => Promise<RentResult>
  /** The body of a rental that is sent later, to one offer or another. @throws ProblemError rental-refused */
  readonly body: (options: RentOptions) => RentBody
}

export function createRentalRequests(options: RentalRequestsOptions): RentalRequests {
  const { renting, orders, publicKey, compress, keepKey, latestHash, log } = options

  const bodyOf = (wanted: RentOptions) => createBody(wanted, publicKey(), compress)

  /** As it would be sent now. */
  function preview(draft: RentDraft): RentPreview {
    const { body, ...sizes } = previewBody(draft, publicKey(), compress)
    return { body: withLatestHash(body, latestHash), ...sizes }
  }

  async function rent({ offerId, options: wanted, keepInstanceKey, next }: RentRequest): Promise<RentResult> {
    const body = bodyOf(wanted)
    const rental = await renting.rent(offerId, body)
    if (rental.kind === 'reply-lost') return rental
    const { kind, instanceId, instanceKey } = rental
    if (next !== undefined) await orders.keep(instanceId, body, next)
    const isWanted = keepInstanceKey && instanceKey !== null
    return { kind, instanceId, instanceKey: isWanted ? await kept(instanceId, instanceKey) : null }
  }

  /** The machine is rented, so whatever happens to its key is told and stops nothing. */
  async function kept(instanceId: number, value: string): Promise<FreshInstanceKey> {
    try {
      const { keptIn } = await keepKey(instanceId, value)
      return { value, kept: { kind: keptIn } }
    } catch (error) {
      const id = log.error(`The key of instance ${instanceId} could not be kept`, error)
      const problem = error instanceof ProblemError ? error.problem : { kind: 'unexpected' as const, id }
      return { value, kept: { kind: 'nowhere', problem } }
    }
  }

  return {
    preview,
    rent,
    body: bodyOf,
  }
}
