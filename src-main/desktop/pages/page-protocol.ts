import { readFile } from 'node:fs/promises'
import { protocol } from 'electron'
import { pageOrigin } from '../../contract/ports.ts'
import type { Log } from '../../domain/base/log.ts'
import { resolvePageFile, pageHeaders } from './page-files.ts'

const scheme = new URL(pageOrigin).protocol.slice(0, -1)

/** Makes `app://slipway` an origin of its own, with what a web page may use. To be called before Electron is ready. */
export function registerPageScheme(): void {
  protocol.registerSchemesAsPrivileged([
    { scheme, privileges: { standard: true, secure: true, supportFetchAPI: true, codeCache: true } },
  ])
}

/** Serves the built page from `root`. To be called when Electron is ready, once. */
export function servePage(root: string, log: Log): void {
  protocol.handle(scheme, (request) => answer(root, request, log))
}

/** The file that is asked for, and 404 for everything else. */
export async function answer(
  root: string,
  request: { readonly method: string; readonly url: string },
  log: Log,
): Promise<Response> {
  if (request.method !== 'GET' && request.method !== 'HEAD') return refuse(405)
  const file = resolvePageFile(root, request.url)
  if (file === null) return refuse(404)
  try {
    const body = await readFile(file.path)
    return new Response(request.method === 'HEAD' ? null : new Uint8Array(body), {
      headers: { ...pageHeaders, 'content-type': file.contentType },
    })
  } catch (error) {
    if (!isMissing(error)) log.error(`Cannot read ${file.path}`, error)
    return refuse(404)
  }
}

function refuse(status: number): Response {
  return new Response(null, { status, headers: pageHeaders })
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'EISDIR')
}
