import { rentDraft, rentPreview } from '../domain/renting/rent-request.ts'
import { procedure } from './base.ts'

export const renting = {
  /** What a rental would send, exactly, as far as it is filled in. Nothing is sent. */
  preview: procedure.input(rentDraft).output(rentPreview),
}
