/**
 * One end of a channel to the window, as far as ipc/, terminals/ and desktop/ share it.
 *
 * Nothing arrives before `start`. `close` is told once, whichever side ended the channel; what is posted
 * afterwards is dropped.
 */
export interface MessagePortLike {
  postMessage(value: unknown): void
  on(event: 'message', listener: (event: { readonly data: unknown }) => void): void
  on(event: 'close', listener: () => void): void
  start(): void
  close(): void
}
