import type { CDPSession } from 'playwright-core'
import { documentHeader } from './page-server.ts'
import { PreventableNavigation } from './prevention.ts'
import { report } from './state.ts'

interface NavigationListener {
  /** The address as main knows it. */
  readonly toMain: (url: string) => string
  readonly emit: (
    name: 'will-navigate' | 'will-frame-navigate' | 'will-redirect',
    event: PreventableNavigation,
  ) => void
  /** `status`: of the answer, as HTTP counts them; `document`: its number (page-server.ts). */
  readonly navigated: (url: string, status: number, document: number) => void
  /** There was no answer: the page shows nothing of this address. */
  readonly failed: (url: string) => void
  /** The page wants a window or a tab. */
  readonly windowOpened: (url: string) => void
}

/**
 * Electron's events about navigation, from Chromium's. Documents are held before they are asked for, so that
 * `preventDefault` keeps the page where it is. As in Electron, only what the page itself began can be
 * prevented: not `loadURL`, and not what a developer does.
 */
export async function watchNavigation(cdp: CDPSession, listener: NavigationListener): Promise<void> {
  const { frameTree } = await cdp.send('Page.getFrameTree')
  const mainFrame = frameTree.frame.id
  /** Addresses that a frame has asked for itself, by frame. */
  const asked = new Map<string, string>()

  cdp.on('Page.frameRequestedNavigation', ({ frameId, url, disposition }) => {
    if (disposition === 'currentTab') asked.set(frameId, withoutHash(url))
    else listener.windowOpened(listener.toMain(url))
  })
  cdp.on('Page.windowOpen', ({ url }) => listener.windowOpened(listener.toMain(url)))
  /** Of the documents that are on their way, by their loader. */
  const answers = new Map<string, { readonly status: number; readonly document: number }>()
  cdp.on('Page.frameNavigated', ({ frame }) => {
    const { status, document } = answers.get(frame.loaderId) ?? { status: -1, document: 0 }
    answers.delete(frame.loaderId)
    if (frame.parentId !== undefined) return
    if (frame.unreachableUrl !== undefined) listener.failed(listener.toMain(frame.unreachableUrl))
    else listener.navigated(listener.toMain(frame.url), status, document)
  })

  const isPrevented = (frameId: string, url: string, isRedirect: boolean): boolean => {
    const event = new PreventableNavigation(listener.toMain(url), frameId === mainFrame)
    if (isRedirect) listener.emit('will-redirect', event)
    else {
      listener.emit('will-frame-navigate', event)
      if (event.isMainFrame) listener.emit('will-navigate', event)
    }
    return event.defaultPrevented
  }
  cdp.on('Fetch.requestPaused', (paused) => {
    const { requestId, frameId, request, redirectedRequestId, networkId, responseStatusCode } = paused
    if (responseStatusCode !== undefined || paused.responseErrorReason !== undefined) {
      const headers = (paused.responseHeaders ?? []).map(
        ({ name, value }) => [name.toLowerCase(), value] as const,
      )
      const document = documentHeader.read(Object.fromEntries(headers))
      if (networkId !== undefined) answers.set(networkId, { status: responseStatusCode ?? -1, document })
      cdp.send('Fetch.continueRequest', { requestId }).catch(report)
      return
    }
    const isRedirect = redirectedRequestId !== undefined
    const ownWish = asked.get(frameId) === request.url
    asked.delete(frameId)
    const refuse =
      (isRedirect || ownWish || frameId !== mainFrame) && isPrevented(frameId, request.url, isRedirect)
    const answer = refuse
      ? cdp.send('Fetch.failRequest', { requestId, errorReason: 'Aborted' })
      : cdp.send('Fetch.continueRequest', { requestId })
    answer.catch(report)
  })
  // Not by the Network domain, which tells of each file and of each message of a socket.
  await cdp.send('Fetch.enable', {
    patterns: (['Request', 'Response'] as const).map((requestStage) => ({
      resourceType: 'Document' as const,
      requestStage,
    })),
  })
}

/** What is asked of the network has no fragment. */
function withoutHash(url: string): string {
  return url.split('#', 1).join('')
}
