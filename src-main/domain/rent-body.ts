import type { RentRequest } from './instance.ts'
import { withAuthorizedKey } from './onstart.ts'

/** Body of a rental (service API 4.4); the fields that Slipway sends so far. */
export interface RentBody {
  readonly image: string
  /** GB. */
  readonly disk: number
  readonly onstart?: string
}

/**
 * What a rent request sends, exactly: shown before it is sent, and sent.
 *
 * @param publicKey the line to let in when the request says so; `null` when there is none yet
 * @throws RangeError when `publicKey` is not one plain line
 */
export function rentBody(
  request: Pick<RentRequest, 'image' | 'diskGb' | 'onstart' | 'addSshKey'>,
  publicKey: string | null,
): RentBody {
  const onstart =
    request.addSshKey && publicKey !== null ? withAuthorizedKey(request.onstart, publicKey) : request.onstart
  return { image: request.image.trim(), disk: request.diskGb, ...(onstart !== '' && { onstart }) }
}
