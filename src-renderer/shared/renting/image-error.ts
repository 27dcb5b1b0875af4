import { longestImage } from '#domain/renting/rent-request.ts'
import { rentingText } from './renting-text.ts'

/** What is wrong with the name of an image as it's typed. @param hasTemplate whose image is used when none is typed */
export function imageError(typed: string, hasTemplate: boolean): string | undefined {
  const name = typed.trim()
  if (name === '') return hasTemplate ? undefined : rentingText.noImage
  if (/\s/.test(name)) return rentingText.imageSpaces
  return name.length > longestImage ? rentingText.imageLong : undefined
}
