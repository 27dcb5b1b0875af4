import { readFile, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { extname, join } from 'node:path'
import type { Page } from '@playwright/test'
import { build } from 'vite'
import { type WebSocket, WebSocketServer } from 'ws'
import { launchChromium } from '../../support/launch-chromium.ts'
import type { ShellRequest } from './page/bench-page.ts'
import './page/bench-page.ts'

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css',
}

export interface PageHost {
  /** The bench's page, fresh; close it after use. */
  readonly openPage: () => Promise<Page>
  /** The browser's name and version. */
  readonly browser: string
  readonly end: () => Promise<void>
}

export interface PageHostOptions {
  readonly folder: string
  readonly text: Buffer
  readonly serveShell: (
    socket: WebSocket,
    request: ShellRequest,
    size: { readonly cols: number; readonly rows: number },
  ) => void
}

/** Builds the bench's page as the app's is built, serves it, and shows it in Chromium. */
export async function startPageHost({ folder, text, serveShell }: PageHostOptions): Promise<PageHost> {
  const built = join(folder, 'page')
  await build({
    root: join(import.meta.dirname, 'page'),
    logLevel: 'warn',
    configFile: false,
    build: { outDir: built, emptyOutDir: true, minify: true },
  })

  const server = createServer((request, response) => {
    const path = request.url === '/' ? '/index.html' : (request.url ?? '')
    if (path === '/text') return void response.end(text)
    readFile(join(built, path)).then(
      (content) => {
        response.setHeader('content-type', types[extname(path)] ?? 'application/octet-stream')
        response.end(content)
      },
      () => response.writeHead(404).end(),
    )
  })
  const sockets = new WebSocketServer({ noServer: true, perMessageDeflate: false })
  server.on('upgrade', (request, socket, head) => {
    const { searchParams: asked } = new URL(request.url ?? '', 'http://bench')
    const shell = { kind: asked.get('kind'), distance: asked.get('distance') } as ShellRequest
    const size = { cols: Number(asked.get('cols')), rows: Number(asked.get('rows')) }
    sockets.handleUpgrade(request, socket, head, (opened) => serveShell(opened, shell, size))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo

  const browser = await launchChromium()
  return {
    browser: `${browser.browserType().name()} ${browser.version()}`,
    openPage: async () => {
      const page = await browser.newPage({ viewport: { width: 1280, height: 800 } })
      page.setDefaultTimeout(600_000)
      page.on('pageerror', (error) => console.error(`The bench's page: ${error.message}`))
      await page.goto(`http://127.0.0.1:${port}/`)
      return page
    },
    end: async () => {
      await browser.close()
      for (const socket of sockets.clients) socket.terminate()
      server.close()
      await rm(built, { recursive: true })
    },
  }
}
