import { parsePhoneNumberFromString } from 'libphonenumber-js'
import { z } from 'zod'

/** A phone number in E.164: a plus sign, a country code that exists, a length that it may have, digits only. */
export const phoneNumber = z.string().refine(
  (text) => {
    const parsed = parsePhoneNumberFromString(text)
    return parsed?.number === text && parsed.isPossible()
  },
  { error: 'expected a phone number in E.164, such as +12025550142' },
)

/** Only the last 4 digits stay visible (service API 2.6). */
export const maskPhoneNumber = (number: string): string => number.replace(/.(?=.{4})/g, '*')

/** Numbers of the simulated world that are out of the ordinary (README.md). */
export const NUMBERS = {
  legacyAccount: '+12025550123',
  firstOfMultiSms: '+12025550101',
  secondOfMultiSms: '+12025550102',
  unreachable: '+12025550190',
  throttled: '+12025550191',
  fraudulent: '+12025550192',
} as const
