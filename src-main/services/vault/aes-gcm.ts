import { createDecipheriv } from 'node:crypto'

export const gcmCipher = 'aes-256-gcm'
export const gcmIvBytes = 12
export const gcmTagBytes = 16

/** What AES-256-GCM sealed. */
export interface GcmSealed {
  readonly iv: Buffer
  readonly sealed: Buffer
  readonly tag: Buffer
  /** What was authenticated beside it, in the clear. */
  readonly beside?: Buffer
}

/**
 * What AES-256-GCM sealed; `null` when the key is another one, or something was changed: which of the two cannot be
 * told. Lengths that are not the cipher's count as changed.
 */
export function openGcm(key: Buffer, { iv, sealed, tag, beside }: GcmSealed): Buffer | null {
  if (key.length !== 32 || iv.length !== gcmIvBytes || tag.length !== gcmTagBytes) return null
  const opening = createDecipheriv(gcmCipher, key, iv, { authTagLength: gcmTagBytes })
  if (beside) opening.setAAD(beside)
  opening.setAuthTag(tag)
  const start = opening.update(sealed)
  try {
    return Buffer.concat([start, opening.final()])
  } catch (error) {
    // What GCM throws for a tag that does not fit; nothing of the text has been used.
    if (error instanceof Error) return null
    throw error
  }
}
