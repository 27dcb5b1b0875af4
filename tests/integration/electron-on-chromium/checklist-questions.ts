import { EventEmitter } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { getCurrentFuseWire } from '@electron/fuses'
import type { Session, WebContents } from 'electron'
import { expect } from 'vitest'
import { z } from 'zod'
import afterPack from '../../../build/after-pack.mjs'
import { refuseNavigation } from '../../../src-main/desktop/pages/navigation.ts'
import type { PageAddress } from '../../../src-main/desktop/pages/page-address.ts'
import { denyPermissions } from '../../../src-main/desktop/pages/page-session.ts'
import { SafeShell } from '../../../src-main/desktop/safe-shell.ts'
import { memoryLog } from '../../support/memory-log.ts'
import { executableWithFuses } from '../packaging/pack.ts'

// How security-checklist.test.ts asks what a real browser cannot show.

const top = join(import.meta.dirname, '..', '..', '..')

export const everyPermission = [
  'clipboard-read',
  'clipboard-sanitized-write',
  'display-capture',
  'fileSystem',
  'fullscreen',
  'geolocation',
  'hid',
  'idle-detection',
  'keyboardLock',
  'media',
  'mediaKeySystem',
  'midi',
  'midiSysex',
  'notifications',
  'openExternal',
  'pointerLock',
  'serial',
  'speaker-selection',
  'storage-access',
  'top-level-storage-access',
  'unknown',
  'usb',
  'window-management',
] as const

/** Asks both handlers as Electron does, and expects them to agree where the check does not know the frame. */
export function permissionHandlers(
  page: PageAddress,
): (permission: string, url: string, isMainFrame: boolean) => boolean {
  type Handler = (...args: readonly unknown[]) => unknown
  const handlers: Record<'request' | 'check' | 'device', Handler | null> = {
    request: null,
    check: null,
    device: null,
  }
  const session: unknown = {
    setPermissionRequestHandler: (handler: Handler) => (handlers.request = handler),
    setPermissionCheckHandler: (handler: Handler) => (handlers.check = handler),
    setDevicePermissionHandler: (handler: Handler) => (handlers.device = handler),
  }
  denyPermissions(session as Session, page)
  expect(handlers.device?.({ deviceType: 'usb', origin: page.origin })).toBe(false)
  return (permission, url, isMainFrame) => {
    let isGranted = false
    const details = { requestingUrl: url, isMainFrame }
    handlers.request?.({}, permission, (answer: boolean) => (isGranted = answer), details)
    if (isMainFrame) expect(handlers.check?.({}, permission, url, details)).toBe(isGranted)
    return isGranted
  }
}

/** Electron's contents as far as navigation goes. */
export function contentsWithRules(page: PageAddress) {
  const log = memoryLog()
  const opened: string[] = []
  let open: (details: { readonly url: string }) => unknown = () => null
  const contents = Object.assign(new EventEmitter(), {
    setWindowOpenHandler: (handler: typeof open) => (open = handler),
  })
  const shell = new SafeShell((url) => {
    opened.push(url)
    return Promise.resolve()
  }, log)
  refuseNavigation(contents as unknown as WebContents, { page, isDevelopment: false, shell, log })
  return { contents, log, opened, open: (url: string) => open({ url }) }
}

/** Sources of what ships that have such text, comments left out. */
export function sourcesWith(pattern: RegExp): string[] {
  return ['src-main', 'src-renderer'].flatMap((room) =>
    readdirSync(join(top, room), { recursive: true, encoding: 'utf8' })
      .filter((path) => /\.(ts|vue|html)$/.test(path))
      .map((path) => `${room}/${path}`)
      .filter((path) => {
        const text = readFileSync(join(top, path), 'utf8')
        return pattern.test(text.replace(/^\s*(\/\/|\*|\/\*).*$/gm, ''))
      }),
  )
}

export function packageJson(path: string) {
  const shape = z.object({
    version: z.string().optional(),
    devDependencies: z.record(z.string(), z.string()).optional(),
  })
  return shape.parse(JSON.parse(readFileSync(path, 'utf8')))
}

/** With the path as it is: fetch would tidy it up. */
export function get(
  pageUrl: string,
  path: string,
): Promise<{ status: number | undefined; headers: NodeJS.Dict<string | string[]> }> {
  const { hostname, port } = new URL(pageUrl)
  return new Promise((resolve, reject) => {
    request({ hostname, port, path }, (response) => {
      response.resume()
      resolve({ status: response.statusCode, headers: response.headers })
    })
      .once('error', reject)
      .end()
  })
}

/** The fuses of an executable that build/'s hook has been at, read back. */
export async function fusesOfHook() {
  const folder = await mkdtemp(join(tmpdir(), 'slipway-fuses-'))
  try {
    const executable = join(folder, 'slipway')
    await writeFile(executable, executableWithFuses)
    await afterPack({
      appOutDir: folder,
      electronPlatformName: 'linux',
      packager: { executableName: 'slipway', appInfo: { productFilename: 'Slipway' } },
    })
    const { version, ...wire } = await getCurrentFuseWire(executable)
    return { version, wire }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
