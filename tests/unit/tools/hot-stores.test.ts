import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createServer, type ViteDevServer } from 'vite'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { hotStores } from '../../../tools/hot-stores.mjs'

const root = join(import.meta.dirname, '../../../src-renderer')
const files = globSync('**/*.ts', { cwd: root })
  .map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }))
  .filter(({ text }) => /\bdefineStore\(/.test(text))

let server: ViteDevServer
beforeAll(async () => {
  server = await createServer({
    configFile: false,
    root,
    plugins: [hotStores()],
    server: { middlewareMode: true, ws: false, watch: null },
    optimizeDeps: { noDiscovery: true },
    logLevel: 'silent',
  })
})
afterAll(() => server.close())

test('there are stores', () => {
  expect(files.length).toBeGreaterThan(30)
})

test.each(files)('$path takes its own change', async ({ path, text }) => {
  const stores = [...text.matchAll(/\bdefineStore\(/g)].length
  const { code = '' } = (await server.transformRequest(`/${path}`)) ?? {}
  expect(code.match(/import\.meta\.hot\.accept\(acceptStore\(use\w+, import\.meta\.hot\)\)/g)).toHaveLength(
    stores,
  )
})
