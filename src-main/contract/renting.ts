import { rentOptions, rentPreview } from '../domain/rent-request.ts'
import { procedure } from './base.ts'

export const renting = {
  /** What a rental with these options would send, exactly. Nothing is sent. */
  preview: procedure.input(rentOptions).output(rentPreview),
}
