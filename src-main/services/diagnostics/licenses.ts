import { readFile, stat } from 'node:fs/promises'
import {
  bundledPackagesFile,
  type BundledPackage,
  type LicenseList,
} from '../../domain/diagnostics/licenses.ts'
import { invalidInput } from '../../domain/base/problem.ts'
import { ifThere } from '../storage/disk.ts'

export interface LicensesDependencies {
  /** Paths of files with the licenses of what Slipway contains. */
  readonly licenseFiles: {
    /** What the build collected: `bundledPackagesFile`. */
    readonly packages: string
    /** Where Electron's LICENSES.chromium.html may lie. */
    readonly chromium: readonly string[]
  }
  /** Shows a file or folder in the system's file manager. */
  readonly showInFolder: (path: string) => void
}

export interface Licenses {
  readonly list: () => Promise<LicenseList>
  /** @throws ProblemError invalid-input (`name`) for a package that isn't listed */
  readonly text: (wanted: Pick<BundledPackage, 'name' | 'version'>) => Promise<string>
  /** @throws ProblemError invalid-input (`file`) where it isn't there */
  readonly showChromiumFile: () => Promise<void>
}

/** Tells the licenses of all that Slipway contains. They're read anew each time: hardly anyone asks twice. */
export function createLicenses({ licenseFiles, showInFolder }: LicensesDependencies): Licenses {
  return {
    list: async () => {
      const [packages, chromiumFile] = await Promise.all([
        readPackages(licenseFiles.packages),
        firstPresent(licenseFiles.chromium),
      ])
      return { packages, hasChromiumFile: chromiumFile !== null }
    },
    text: async ({ name, version }) => {
      const packages = (await readPackages(licenseFiles.packages)) ?? []
      const found = packages.find((one) => one.name === name && one.version === version)
      if (found === undefined) throw invalidInput('name', { code: 'not-listed' })
      return found.text
    },
    showChromiumFile: async () => {
      const file = await firstPresent(licenseFiles.chromium)
      if (file === null) throw invalidInput('file', { code: 'not-listed' })
      showInFolder(file)
    },
  }
}

async function readPackages(file: string) {
  const text = await ifThere(readFile(file, 'utf8'))
  return text === null ? null : bundledPackagesFile.parse(JSON.parse(text))
}

async function firstPresent(files: readonly string[]): Promise<string | null> {
  for (const file of files) if ((await ifThere(stat(file))) !== null) return file
  return null
}
