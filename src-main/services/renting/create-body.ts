import { type Compress, onstartLimit, onstartToSend } from '../../domain/renting/onstart.ts'
import { rentalRefused } from '../../domain/base/problem.ts'
import type { RentBody, VolumeInfo } from '../../domain/renting/rent-body.ts'
import type { RentDraft, RentOptions, RentPreview, VolumeRequest } from '../../domain/renting/rent-request.ts'
import type { PublicKey } from '../../domain/ssh/ssh-key.ts'

/**
 * What a rental sends, exactly: shown before it is sent, and sent. What is empty is left to the template.
 *
 * @param publicKey the key to let in when the options say so; `null` when there is none yet
 */
export function previewBody(
  options: RentDraft,
  publicKey: PublicKey | null,
  compress: Compress,
): RentPreview {
  const line = options.addSshKey ? (publicKey?.line ?? null) : null
  const onstart = onstartToSend(options.onstart ?? '', line, compress)
  const isOnstartSent = onstart.text !== '' || (options.onstart !== null && options.templateHashId !== null)
  return {
    body: {
      ...(options.templateHashId !== null && { template_hash_id: options.templateHashId }),
      ...(options.image !== null && { image: options.image }),
      ...(options.diskGb !== null && { disk: options.diskGb }),
      ...(Object.keys(options.env).length > 0 && { env: options.env }),
      ...(options.volume && { volume_info: volumeInfoOf(options.volume) }),
      ...(Object.keys(options.extraFilters).length > 0 && { extra_filters: options.extraFilters }),
      ...(isOnstartSent && { onstart: onstart.text }),
    },
    onstartCharacters: onstart.characters,
    isOnstartPacked: onstart.isPacked,
  }
}

/**
 * The same for a rental that is about to be sent.
 *
 * @throws ProblemError `rental-refused` when the key is to be added and there is none, or when the script is
 *   longer than the service takes though it was packed
 */
export function createBody(options: RentOptions, publicKey: PublicKey | null, compress: Compress): RentBody {
  if (options.addSshKey && publicKey === null) throw rentalRefused({ code: 'no-ssh-key' })
  const { body, onstartCharacters } = previewBody(options, publicKey, compress)
  if (onstartCharacters > onstartLimit)
    throw rentalRefused({ code: 'script-too-long', characters: onstartCharacters, limit: onstartLimit })
  return body
}

/** The same of a template that was edited since: it has another hash then. @param latestHash the one that it has now */
export function withLatestHash(
  { template_hash_id: hash, ...body }: RentBody,
  latestHash: (hash: string) => string,
): RentBody {
  return hash === undefined ? body : { template_hash_id: latestHash(hash), ...body }
}

function volumeInfoOf(volume: VolumeRequest): VolumeInfo {
  switch (volume.kind) {
    case 'link':
      return { create_new: false, volume_id: volume.volumeId, mount_path: volume.mountPath }
    case 'create':
      return {
        create_new: true,
        volume_id: volume.volumeOfferId,
        size: volume.sizeGb,
        mount_path: volume.mountPath,
      }
  }
}
