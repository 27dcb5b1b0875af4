import { posix, win32 } from 'node:path'
import type { App } from '../app/create-app.ts'

/** The scheme that the system hands to Slipway. */
const deepLinkScheme = 'slipway'

/** Of a folder's path in a link, in characters: no system takes longer ones. */
const longestFolder = 4096

/** Where a link leads to. */
export type DeepLink =
  | { readonly kind: 'instance'; readonly id: number }
  /** A project's folder on this computer, in which a job's definition may be. */
  | { readonly kind: 'job'; readonly folder: string }

/**
 * Where `slipway://instance/4711` or `slipway://job?folder=%2Fhome%2Fme%2Fproject` leads to; `null` for everything else.
 * Anybody can write a link, so only these two shapes are ones: no other host or case, no sign, no zero in front, no end of
 * a path, other query or fragment.
 */
export function parseDeepLink(link: string, platform: NodeJS.Platform): DeepLink | null {
  const id = /^slipway:\/\/instance\/([1-9]\d{0,14})$/.exec(link)?.[1]
  if (id !== undefined) return { kind: 'instance', id: Number(id) }
  const encoded = /^slipway:\/\/job\?folder=([\w.~!*'()/:%-]+)$/.exec(link)?.[1]
  const folder = encoded === undefined ? null : decoded(encoded)
  return folder !== null && isOwnFolder(folder, platform) ? { kind: 'job', folder } : null
}

function decoded(text: string): string | null {
  // Each character takes at most three times three characters, written by their bytes.
  if (text.length > 9 * longestFolder) return null
  try {
    return decodeURIComponent(text)
  } catch {
    return null
  }
}

/**
 * Whether it's the full path of a folder of this computer, written in the one way that it has. Not one of another computer:
 * Windows would tell a stranger's server who is logged in. Nothing in it that isn't seen, such as what turns the order of
 * letters around: the user is asked about it.
 */
function isOwnFolder(folder: string, platform: NodeJS.Platform): boolean {
  if (folder.length > longestFolder || /\p{C}|[\u2028\u2029]/u.test(folder)) return false
  const rules = platform === 'win32' ? win32 : posix
  const isRooted = platform === 'win32' ? /^[A-Za-z]:\\/.test(folder) : /^\/(?!\/)/.test(folder)
  return isRooted && rules.normalize(folder) === folder
}

/** The arguments of a start that are links for Slipway, or pass themselves off as such. */
export function deepLinksAmong(args: readonly string[]): readonly string[] {
  return args.filter((arg) => arg.toLowerCase().startsWith(`${deepLinkScheme}:`))
}

/** The part of Electron's app that is used here. */
export interface LinkSource {
  readonly isPackaged: boolean
  readonly setAsDefaultProtocolClient: (scheme: string) => boolean
  readonly on: ((
    event: 'open-url',
    listener: (event: { preventDefault: () => void }, url: string) => void,
  ) => unknown) &
    ((event: 'second-instance', listener: (event: unknown, args: string[]) => void) => unknown)
}

export interface DeepLinkOptions {
  /** Of this start. */
  readonly args: readonly string[]
  /** Its paths are those that links may have. */
  readonly platform: NodeJS.Platform
  /** Links of before it is there wait for it; when it never comes, whoever starts it says why. */
  readonly core: Promise<Pick<App, 'askForJob' | 'log' | 'showInstance'>>
  /** Brings the window to the front. */
  readonly focus: () => void
}

/**
 * Follows links to an instance and to a job's definition that the system hands over: on macOS as an event, elsewhere as an
 * argument of this start or of another one. Anybody can write such a link, and a browser follows it after a question at
 * most: so it leads to a page and nothing else, and one of another shape is refused and not repeated in the log.
 *
 * To be called before Electron is ready: macOS tells early of the link that Slipway was started by.
 */
export function followDeepLinks(source: LinkSource, { args, platform, core, focus }: DeepLinkOptions): void {
  const there = core.catch(() => null)
  async function follow(links: readonly string[]): Promise<void> {
    if (links.length === 0) return
    const made = await there
    if (made === null) return
    const { askForJob, log, showInstance } = made
    const [link, ...others] = links.map((one) => parseDeepLink(one, platform))
    if (!link || others.length > 0) {
      log.warn('Refused a link that leads to no instance and no job')
      return
    }
    focus()
    try {
      if (link.kind === 'job') askForJob(link.folder)
      else await showInstance(link.id)
    } catch (error) {
      log.error('A link could not be followed', error)
    }
  }
  source.on('open-url', (event, url) => {
    event.preventDefault()
    void follow([url])
  })
  source.on('second-instance', (_event, others) => void follow(deepLinksAmong(others)))
  void follow(deepLinksAmong(args))
  // In development the system would be told to start Electron itself, without the app.
  if (source.isPackaged && !source.setAsDefaultProtocolClient(deepLinkScheme))
    void there.then((made) => made?.log.warn(`The system does not hand over ${deepLinkScheme}: links`))
}
