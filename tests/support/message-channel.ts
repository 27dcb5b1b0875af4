import type { MessagePortLike } from '../../src-main/ipc/message-port.ts'

/** A port of Node's as main knows ports. */
export function mainPort(port: MessagePort): MessagePortLike {
  return {
    postMessage: (value) => port.postMessage(value),
    on: (event: string, listener: (event: { data: unknown }) => void) =>
      port.addEventListener(event, (received) => listener({ data: (received as MessageEvent).data })),
    start: () => port.start(),
    close: () => port.close(),
  }
}
