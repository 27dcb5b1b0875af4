import { createPublicKey, verify } from 'node:crypto'
import { z } from 'zod'

/** The signature's field in the release file that electron-builder writes. */
export const signatureField = 'slipwaySignature'

/** Where releases are looked for: `beta` has pre-releases, and the releases that follow them. */
export type UpdateChannel = 'latest' | 'beta'

/** What `latest*.yml` or `beta*.yml` says of a release, as far as it counts here. */
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

/** The release file of a channel for such computers: electron-updater asks for it by this name. */
export function releaseFileFor({ platform, arch }: Computer, channel: UpdateChannel): string {
  if (platform === 'linux') return `${channel}-linux${arch === 'x64' ? '' : `-${arch}`}.yml`
  return platform === 'darwin' ? `${channel}-mac.yml` : `${channel}.yml`
}

/**
 * What is signed of a release: all that decides what is offered and installed, and the name of the release file, which
 * says for which computers and on which channel. Each file stands with its checksum, so the signature holds for the files, too.
 */
export function signedText({ version, files, releaseNotes }: Release, releaseFile: string): string {
  const listed = files.map(({ url, sha512 }) => [url, sha512])
  return JSON.stringify(['slipway-release-2', releaseFile, version, listed, releaseNotes ?? null])
}

/**
 * Whether the release bears a signature by the owner of this key, made for this release file.
 *
 * @param releaseFile as `releaseFileFor` names it
 * @param publicKey Ed25519, SPKI in DER and Base64
 */
export function isSigned(release: Release, releaseFile: string, publicKey: string): boolean {
  const signature = release[signatureField]
  if (signature === undefined) return false
  const key = createPublicKey({ key: Buffer.from(publicKey, 'base64'), format: 'der', type: 'spki' })
  // Any other kind of key would decide by itself what a signature is.
  if (key.asymmetricKeyType !== 'ed25519') return false
  return verify(null, Buffer.from(signedText(release, releaseFile)), key, Buffer.from(signature, 'base64'))
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

/** Releases and Slipway's pre-releases: anything else is never offered. */
const offeredVersion = /^(\d{1,9})\.(\d{1,9})\.(\d{1,9})(?:-beta\.(\d{1,9}))?$/

/** Whether such a version is a pre-release. */
export function isPrerelease(version: string): boolean {
  return version.includes('-')
}

/**
 * Whether `version`, a release or a pre-release such as `1.2.0-beta.1`, comes after `current`. As in Semantic
 * Versioning, a pre-release comes before its release.
 */
export function isNewer(version: string, current: string): boolean {
  const offered = numbersOf(version)
  const running = runningNumbers(current)
  if (offered === null || running === null) return false
  const decisive = offered.findIndex((part, at) => part !== running[at])
  return decisive !== -1 && (offered[decisive] ?? 0) > (running[decisive] ?? 0)
}

function runningNumbers(current: string): readonly number[] | null {
  const [version = ''] = current.split('+', 1)
  const known = numbersOf(version)
  if (known !== null) return known
  // Of another kind of pre-release: only a release follows it.
  const base = numbersOf(version.split('-', 1)[0] ?? '')
  return base && [...base.slice(0, 3), Number.MAX_SAFE_INTEGER]
}

/** Major, minor, patch and number of the pre-release; a release comes after all of its pre-releases. */
function numbersOf(version: string): readonly number[] | null {
  const match = offeredVersion.exec(version)
  return match && match.slice(1).map((part: string | undefined) => Number(part ?? Number.POSITIVE_INFINITY))
}
