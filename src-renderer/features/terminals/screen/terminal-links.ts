import { WebLinksAddon } from '@xterm/addon-web-links'
import type { ILinkHandler, Terminal } from '@xterm/xterm'
import { addressUse, type LocalLink } from '../shell-text.ts'

/** What happens to an address on the screen. */
export interface LinkEvents {
  /** The address under the mouse: a link's text may say something else. */
  readonly linkHovered: (address: string | null) => void
  /** An address that is opened only when the user has seen it in full. */
  readonly linkAsked: (address: string) => void
  /** The instance's own address. @param isWritten the screen shows the very address, and not a text that leads there */
  readonly localLinkFollowed: (link: LocalLink, isWritten: boolean) => void
}

/** Web addresses, and no punctuation that belongs to the sentence around it. */
const webAddress = /https?:\/\/[^\s"'!*(){}|\\^<>`]*[^\s"':,.!?{}|\\^~[\]`()<>]/

function follow(event: MouseEvent, address: string, events: LinkEvents, isWritten: boolean): void {
  if (!event.ctrlKey && !event.metaKey) return
  const use = addressUse(address)
  // Main refuses the window and opens the address in the system's browser.
  if (use.kind === 'open') window.open(use.href, '_blank', 'noopener')
  else if (use.kind === 'ask') events.linkAsked(use.href)
  else if (use.kind === 'local') events.localLinkFollowed(use, isWritten)
}

/** For addresses that a program marks (OSC 8), whose text may be any. */
export function linkHandler(
  events: LinkEvents,
): Required<Pick<ILinkHandler, 'activate' | 'hover' | 'leave'>> {
  return {
    activate: (event, address) => follow(event, address, events, false),
    hover: (_event, address) => events.linkHovered(address),
    leave: () => events.linkHovered(null),
  }
}

/** Makes addresses in plain text into links. */
export function findLinks(terminal: Terminal, events: LinkEvents): void {
  terminal.loadAddon(
    new WebLinksAddon((event, address) => follow(event, address, events, true), {
      hover: (_event, address) => events.linkHovered(address),
      leave: () => events.linkHovered(null),
      urlRegex: webAddress,
    }),
  )
}
