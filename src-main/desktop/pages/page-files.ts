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
