import { WebLinksAddon } from '@xterm/addon-web-links'
import type { ILinkHandler, Terminal } from '@xterm/xterm'
import { addressUse } from '../shell-text.ts'

/** What happens to an address on the screen. */
export interface LinkEvents {
  /** The address under the mouse: a link's text may say something else. */
  readonly linkHovered: (address: string | null) => void
  /** An address that is opened only when the user has seen it in full. */
  readonly linkAsked: (address: string) => void
}

/** Web addresses, and no punctuation that belongs to the sentence around it. */
const webAddress = /https?:\/\/[^\s"'!*(){}|\\^<>`]*[^\s"':,.!?{}|\\^~[\]`()<>]/

export function linkHandler({
  linkHovered,
  linkAsked,
}: LinkEvents): Required<Pick<ILinkHandler, 'activate' | 'hover' | 'leave'>> {
  return {
    activate(event, address) {
      if (!event.ctrlKey && !event.metaKey) return
      const use = addressUse(address)
      // Main refuses the window and opens the address in the system's browser.
      if (use.kind === 'open') window.open(use.href, '_blank', 'noopener')
      else if (use.kind === 'ask') linkAsked(use.href)
    },
    hover: (_event, address) => linkHovered(address),
    leave: () => linkHovered(null),
  }
}

/** Makes addresses in plain text into links, as `linkHandler` does for those that a program marks (OSC 8). */
export function findLinks(
  terminal: Terminal,
  { activate, hover, leave }: ReturnType<typeof linkHandler>,
): void {
  const follow = (event: MouseEvent, address: string): void => activate(event, address, nowhere)
  terminal.loadAddon(
    new WebLinksAddon(follow, {
      hover: (event, address) => hover(event, address, nowhere),
      leave: (event, address) => leave(event, address, nowhere),
      urlRegex: webAddress,
    }),
  )
}

/** The handlers above do not ask where on the screen a link stands. */
const nowhere = { start: { x: 1, y: 1 }, end: { x: 1, y: 1 } }
