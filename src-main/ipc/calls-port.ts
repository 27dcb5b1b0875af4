import { callMessage, type CallMessage } from '../contract/call-message.ts'
import type { Log } from '../domain/base/log.ts'
import type { MessagePortLike } from './message-port.ts'
import { parseJson } from '../domain/base/json-value.ts'

/** A port for calls, over which nothing comes but calls: with anything else it is closed. */
export function openCallsPort(port: MessagePortLike, log: Log): MessagePortLike {
  let isClosed = false

  function refuse(): void {
    if (isClosed) return
    isClosed = true
    log.warn('A port was closed: what came over it is no call')
    port.close()
  }

  return {
    postMessage: (value) => port.postMessage(value),
    on: (event: 'message' | 'close', listener: (event: { readonly data: unknown }) => void) => {
      if (event === 'close') port.on('close', () => listener({ data: undefined }))
      else
        port.on('message', ({ data }) => {
          const call = isClosed ? undefined : readCall(data)
          if (call === undefined) refuse()
          else listener({ data: call })
        })
    },
    start: () => port.start(),
    close: () => port.close(),
  }
}

/** `undefined` when it is none. */
function readCall(data: unknown): CallMessage | undefined {
  return typeof data === 'string' ? callMessage.safeParse(parseJson(data)).data : undefined
}
