import type { PageAddress } from './page-address.ts'

/** The part of Electron's frames that is used here. */
export interface SenderFrame {
  readonly origin: string
}

/** Whom something may come from. */
export interface Expected {
  readonly mainFrame: SenderFrame
  readonly page: PageAddress
  /** Whether the document that is there is the one to be served: not one that gives way to another. */
  readonly isServed: () => boolean
}

/**
 * Why nothing is taken from a frame; `null` when it's the main frame of this window, and shows the page's own origin.
 *
 * @param frame `null` when its document is gone
 */
export function whySenderRefused(
  frame: SenderFrame | null,
  { mainFrame, page, isServed }: Expected,
): string | null {
  if (frame === null) return 'its page is gone'
  if (!isServed()) return 'its page gives way to that of another account'
  // A document that is being unloaded still delivers, and nothing but its identity tells it from the one that is shown.
  if (frame !== mainFrame) return 'it came from another document'
  return frame.origin === page.origin ? null : 'it came from another origin'
}
