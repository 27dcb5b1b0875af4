import type { MessagePortLike } from '../../ipc/message-port.ts'

/** The part of Electron's MessagePortMain that is used here. */
export interface ElectronPort {
  postMessage(value: unknown): void
  on(event: 'message', listener: (event: { readonly data: unknown }) => void): unknown
  on(event: 'close', listener: () => void): unknown
  start(): void
  close(): void
}

/**
 * Electron's port as the rest of main knows it. Electron promises `close` for the other side's end only; here
 * it is told once for either side's, so that what hangs on a port (a subscription, a shell) always ends.
 */
export function adaptPort(port: ElectronPort): MessagePortLike {
  const whenClosed: (() => void)[] = []
  let isClosed = false
  const close = (): void => {
    if (isClosed) return
    isClosed = true
    for (const tell of whenClosed.splice(0)) tell()
  }
  port.on('close', close)

  function on(event: 'message', listener: (event: { readonly data: unknown }) => void): void
  function on(event: 'close', listener: () => void): void
  function on(event: 'message' | 'close', listener: (event: { readonly data: unknown }) => void): void {
    if (event === 'message') port.on('message', ({ data }) => listener({ data }))
    else if (isClosed) queueMicrotask(() => listener({ data: undefined }))
    else whenClosed.push(() => listener({ data: undefined }))
  }

  return {
    on,
    postMessage: (value) => {
      if (!isClosed) port.postMessage(value)
    },
    start: () => port.start(),
    close: () => {
      port.close()
      close()
    },
  }
}
