import { extname, join } from 'node:path'
import { pageOrigin } from '../../contract/ports.ts'

/** What a build of the page consists of; anything else is not served. */
const contentTypes: ReadonlyMap<string, string> = new Map([
  ['.html', 'text/html; charset=utf-8'],
  ['.js', 'text/javascript; charset=utf-8'],
  ['.css', 'text/css; charset=utf-8'],
  ['.svg', 'image/svg+xml'],
  ['.png', 'image/png'],
  ['.woff', 'font/woff'],
  ['.woff2', 'font/woff2'],
])

/** A file of the built page, and as what it is served. */
export interface PageFile {
  readonly path: string
  readonly contentType: string
}

/**
 * The file below `root` that a request for `url` means, or `null` when it means none.
 *
 * Each step of the path must be a plain name. So nothing encoded, no separator of any system and no name that
 * begins with a dot gets through: the result is inside `root` by the way it is made. There is no fallback
 * page, because the page's routes are in the hash.
 */
export function resolvePageFile(root: string, url: string): PageFile | null {
  if (!URL.canParse(url)) return null
  const { protocol, host, pathname } = new URL(url)
  if (`${protocol}//${host}` !== pageOrigin) return null
  const path = pathname === '/' || pathname === '' ? '/index.html' : pathname
  const names = path.slice(1).split('/')
  if (!names.every((name) => /^[\w-][\w.-]*$/.test(name))) return null
  const contentType = contentTypes.get(extname(path))
  return contentType === undefined ? null : { path: join(root, ...names), contentType }
}

/** What the page may do: show its own files, run its own scripts, and nothing else. */
const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  // xterm.js sizes its rows, and Nuxt UI sets its colors, with style elements that they make at run time. A
  // style can neither run nor send anything under this policy.
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "font-src 'self'",
  // The page has no network: what it wants to know it asks main, over its port.
  "connect-src 'none'",
  "object-src 'none'",
  "frame-src 'none'",
  "worker-src 'none'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

/** Sent with every reply to the page, refusals included. */
export const pageHeaders: Readonly<Record<string, string>> = {
  'content-security-policy': contentSecurityPolicy,
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'x-dns-prefetch-control': 'off',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), microphone=(), geolocation=(), usb=(), serial=(), hid=()',
  // The files of one version must not meet those of another.
  'cache-control': 'no-store',
}
