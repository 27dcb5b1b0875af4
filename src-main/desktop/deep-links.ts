import type { App } from '../app/create-app.ts'

/** The scheme that the system hands to Slipway. */
const deepLinkScheme = 'slipway'

/**
 * The instance that `slipway://instance/4711` names; `null` for everything else. Anybody can write a link, so only this
 * one shape is one: no other host or case, no sign, no zero in front, no end of a path, query or fragment.
 */
export function parseDeepLink(link: string): { readonly instanceId: number } | null {
  const id = /^slipway:\/\/instance\/([1-9]\d{0,14})$/.exec(link)?.[1]
  return id === undefined ? null : { instanceId: Number(id) }
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
  /** Links of before it is there wait for it; when it never comes, whoever starts it says why. */
  readonly core: Promise<Pick<App, 'showInstance' | 'log'>>
  /** Brings the window to the front. */
  readonly focus: () => void
}

/**
 * Follows links of the form `slipway://instance/4711` that the system hands over: on macOS as an event, elsewhere as an
 * argument of this start or of another one. Anybody can write such a link, and a browser follows it after a question at
 * most: so it leads to a page and nothing else, and one of another shape is refused and not repeated in the log.
 *
 * To be called before Electron is ready: macOS tells early of the link that Slipway was started by.
 */
export function followDeepLinks(source: LinkSource, { args, core, focus }: DeepLinkOptions): void {
  const there = core.catch(() => null)
  async function follow(links: readonly string[]): Promise<void> {
    if (links.length === 0) return
    const made = await there
    if (made === null) return
    const { showInstance, log } = made
    const [link, ...others] = links.map(parseDeepLink)
    if (!link || others.length > 0) {
      log.warn('Refused a link that is not the address of one instance')
      return
    }
    focus()
    try {
      await showInstance(link.instanceId)
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
