import { once } from 'node:events'
import { createServer } from 'node:http'
import type { Clock } from '../../domain/base/clock.ts'

/** A browser that has to be started first needs some seconds; after that the user presses the button again. */
const lastsMs = 60_000

/**
 * Makes an address of this computer that leads to another one, once and within a minute. A browser's address is in the
 * arguments of the program that opens it, which every user of the computer can read; the one that this leads to is not.
 *
 * @param nonce not to be guessed; nothing else leads there
 * @param signal ends it before its time
 * @throws Error when this computer does not listen
 */
export async function makeOneTimeAddress({
  target,
  nonce,
  clock,
  signal,
}: {
  readonly target: string
  readonly nonce: string
  readonly clock: Clock
  readonly signal: AbortSignal
}): Promise<string> {
  const over = new AbortController()
  const server = createServer((request, response) => {
    // It goes to nobody else's page, file or log.
    const headers = { 'cache-control': 'no-store', 'referrer-policy': 'no-referrer', connection: 'close' }
    if (over.signal.aborted || request.method !== 'GET' || request.url !== `/${nonce}`)
      return void response.writeHead(404, headers).end()
    over.abort()
    response.writeHead(302, { ...headers, location: target }).end()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  over.signal.addEventListener('abort', () => server.close(), { once: true })
  const end = (): void => over.abort()
  signal.addEventListener('abort', end, { once: true, signal: over.signal })
  clock.sleep(lastsMs, over.signal).then(end, () => undefined) // it was used
  if (signal.aborted) end()
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('This computer does not listen')
  return `http://127.0.0.1:${address.port}/${nonce}`
}
