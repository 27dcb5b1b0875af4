import { toProblem } from '#ipc/problem.ts'
import { openPortPage, pageText } from '#shared/forwards/open-port.ts'
import { problemText, type ProblemText } from '#ui/problems/problem-text.ts'
import { notConnectedNote, openingNote } from './local-link-text.ts'
import type { LocalLink } from '../shell-text.ts'

/** Ports below are the system's: of those, only web servers have a page. */
const firstPlainPort = 1024

/** Whether the user is asked first: something else is written there, or a program wants a port that has no page. */
function needsAsking({ port }: LocalLink, isWritten: boolean): boolean {
  return !isWritten || (port < firstPlainPort && port !== 80 && port !== 443)
}

/** What happens to addresses of an instance's own in its terminals. */
export function createLocalLinks({
  instanceId,
  isConnected,
  ask,
  tell,
}: {
  readonly instanceId: number
  readonly isConnected: () => boolean
  /** `failure`: why it couldn't be opened, where that was tried. */
  readonly ask: (link: LocalLink, failure: ProblemText | null) => void
  /** Says in passing what was done. */
  readonly tell: (note: string) => void
}): (link: LocalLink, isWritten: boolean) => void {
  async function open(link: LocalLink): Promise<void> {
    tell(openingNote(link.port))
    try {
      const failure = pageText(await openPortPage(instanceId, link), `port ${link.port}`)
      if (failure !== null) ask(link, failure)
    } catch (error) {
      ask(link, problemText(toProblem(error), 'load'))
    }
  }

  return (link, isWritten) => {
    if (!isConnected()) tell(notConnectedNote)
    else if (needsAsking(link, isWritten)) ask(link, null)
    else void open(link)
  }
}
