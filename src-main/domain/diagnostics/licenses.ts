import { z } from 'zod'

/** A package that Slipway contains; `license` is an SPDX license expression. */
const bundledPackage = z.object({ name: z.string(), version: z.string(), license: z.string() })
export type BundledPackage = z.infer<typeof bundledPackage>

/** What the build writes (tools/licenses): Slipway itself first, then by name. */
export const bundledPackagesFile = z.array(bundledPackage.extend({ text: z.string() })).readonly()

/** What the licenses page lists. */
export const licenseList = z.object({
  /** `null`: they aren't collected, because Slipway is being developed and was not built. */
  packages: z.array(bundledPackage).readonly().nullable(),
  /** Whether Electron's own file with the licenses of Chromium and Node.js is there to be shown. */
  hasChromiumFile: z.boolean(),
})
export type LicenseList = z.infer<typeof licenseList>
