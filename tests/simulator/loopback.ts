import { forbidden } from './accounts.ts'

const LOOPBACK: ReadonlySet<string> = new Set(['127.0.0.1', 'localhost', '[::1]'])

/**
 * Refuses what a web page elsewhere may have sent, through a browser on this machine. Its name can be made to stand for
 * 127.0.0.1 (DNS rebinding), and then only the Host header tells; without that trick the Origin header does. It would
 * have the run of the controls, and with the default account's key, which is no secret, of this machine's shell.
 */
export function requireLoopback({
  host,
  origin,
}: {
  host?: string | undefined
  origin?: string | undefined
}): void {
  if (host !== undefined && !isLoopback(`http://${host}`)) {
    throw forbidden(`the header Host: ${host} does not name this machine as 127.0.0.1, localhost or [::1]`)
  }
  if (origin !== undefined && !isLoopback(origin)) {
    throw forbidden(`the header Origin: ${origin} names a web page of another machine`)
  }
}

const isLoopback = (url: string): boolean => LOOPBACK.has(URL.parse(url)?.hostname ?? '')
