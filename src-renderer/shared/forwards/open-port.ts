import { client } from '#ipc/client.ts'
import type { ProblemText } from '#ui/problems/problem-text.ts'

/** What of a port is opened. */
export interface WantedPage {
  readonly port: number
  readonly scheme?: 'http' | 'https'
  /** Path, query, and fragment. */
  readonly entry?: string
}

export type PageOutcome = 'opened' | 'gone' | 'reconnecting' | 'no-program'

/**
 * Forwards a port of an instance, unless that is done, and opens it in the browser; once the signal is aborted, only the
 * forward is there. Rejects as calls do.
 */
export async function openPortPage(
  instanceId: number,
  { port, scheme = 'http', entry = '/' }: WantedPage,
  signal = new AbortController().signal,
): Promise<PageOutcome> {
  const { id } = await client.forwards.forwardPort({ instanceId, port })
  return client.forwards.openInBrowser({ id, scheme, entry }, { signal })
}

/** Why a page wasn't opened; `null` when it was. @param what a port or a forward, as inside a sentence */
export function pageText(outcome: PageOutcome, what: string): ProblemText | null {
  switch (outcome) {
    case 'opened':
      return null
    case 'gone':
      return {
        title: `Couldn’t open ${what}`,
        meaning: 'Its port forward stopped before it was open.',
        nextStep: 'See Port forwards on the instance’s page for the reason.',
      }
    case 'reconnecting':
      return {
        title: `Couldn’t open ${what}`,
        meaning: 'The connection to the instance is lost. Slipway is reconnecting.',
        nextStep: 'Open it again once you’re connected.',
      }
    case 'no-program':
      return {
        title: 'Couldn’t open your browser',
        meaning: `No program is registered for web addresses, or it couldn’t start. You can still use ${what} through its port forward.`,
        nextStep: 'Copy the address from Port forwards on the instance’s page and open it yourself.',
      }
  }
}

/** As a toast, for what has no place of its own to say it. */
export function failureToast({ title, meaning, nextStep }: ProblemText) {
  return {
    title,
    description: `${meaning} ${nextStep}`,
    icon: 'i-lucide-circle-alert',
    color: 'error',
    duration: 0,
  } as const
}
