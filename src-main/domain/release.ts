import { z } from 'zod'

/** The signature's field in the release file that electron-builder writes. */
export const signatureField = 'slipwaySignature'

/** What `latest*.yml` says of a release, as far as it counts here. */
export const release = z.object({
  version: z.string().max(100),
  files: z
    .array(z.object({ url: z.string().min(1), sha512: z.string().min(1) }))
    .min(1)
    .readonly(),
  /** Plain text. */
  releaseNotes: z.string().max(100_000).nullish(),
  /** Ed25519 over `signedText`, in Base64. */
  [signatureField]: z.string().max(200).optional(),
})
export type Release = z.infer<typeof release>

/** What a build of Slipway is made for, in Node's words. */
export interface Computer {
  readonly platform: string
  readonly arch: string
}

/** The release file that electron-builder writes for such computers, and that electron-updater asks for on them. */
export function releaseFileFor({ platform, arch }: Computer): string {
  if (platform === 'linux') return `latest-linux${arch === 'x64' ? '' : `-${arch}`}.yml`
  return platform === 'darwin' ? 'latest-mac.yml' : 'latest.yml'
}

/**
 * What is signed of a release: all that decides what is offered and installed, and the name of the release file, which
 * says for which computers. Each file stands with its checksum, so the signature holds for the files, too.
 */
export function signedText({ version, files, releaseNotes }: Release, releaseFile: string): string {
  const listed = files.map(({ url, sha512 }) => [url, sha512])
  return JSON.stringify(['slipway-release-2', releaseFile, version, listed, releaseNotes ?? null])
}

/** As electron-builder writes them into file names. */
const architectures = ['x64', 'arm64', 'armv7l', 'ia32'] as const

/**
 * Whether the file that electron-updater would take can be installed on such a computer: it has the right extension, and
 * its name is of no other architecture. It takes the first that names the computer's own, else the first.
 */
export function isInstallable({ files }: Release, { platform, arch }: Computer): boolean {
  const extension = { linux: '.appimage', darwin: '.zip' }[platform] ?? '.exe'
  const names = files.map(({ url }) => url.toLowerCase()).filter((name) => name.endsWith(extension))
  const taken = names.find((name) => name.includes(arch)) ?? names[0]
  return taken !== undefined && !architectures.some((other) => other !== arch && taken.includes(other))
}

/** Plain releases only: what is not `1.2.3` is never offered. */
const plainVersion = /^(\d{1,9})\.(\d{1,9})\.(\d{1,9})$/

/** Whether `version` is a release that comes after `current`, which may be a pre-release. */
export function isNewer(version: string, current: string): boolean {
  const offered = plainVersion.exec(version)
  const running = plainVersion.exec(current.split(/[-+]/, 1)[0] ?? '')
  if (offered === null || running === null) return false
  for (const part of [1, 2, 3] as const) {
    const difference = Number(offered[part]) - Number(running[part])
    if (difference !== 0) return difference > 0
  }
  return current.includes('-')
}
