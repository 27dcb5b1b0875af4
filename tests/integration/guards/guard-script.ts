import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { chmod, mkdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { z } from 'zod'
import { temporaryFolder } from '../../support/temporary-folder.ts'

/** The script that Slipway brings to instances. */
export const scriptFile = join(import.meta.dirname, '../../../resources/machine/guard.sh')
/** Shells that instances have. */
export const shells = ['dash', 'bash', 'busybox'] as const
type Shell = (typeof shells)[number]
export const tools = ['curl', 'wget', 'python3'] as const
type Tool = (typeof tools)[number]

/** As the system installs it, not as somebody's own version of it. */
function findProgram(name: string): string {
  const path = ['/usr/bin', '/bin'].map((folder) => join(folder, name)).find((one) => existsSync(one))
  if (path === undefined) throw new Error(`${name} isn't installed: npm run setup`)
  return path
}

/** What the script uses besides a way to the service. */
const programs = [
  'awk',
  'cat',
  'date',
  'grep',
  'kill',
  'ls',
  'mkdir',
  'mv',
  'nohup',
  'rm',
  'sed',
  'setsid',
  'sh',
]
const morePrograms = ['sleep', 'stat', 'tail', 'timeout', 'touch', 'tr']

const rule = z.looseObject({
  id: z.string(),
  phase: z.string(),
  waits: z.string(),
  tries: z.int(),
  answer: z.int(),
  left: z.int(),
})
const state = z.looseObject({
  armed: z.boolean(),
  why: z.string().optional(),
  running: z.boolean().optional(),
  uptime: z.int().default(0),
  orders: z.array(z.object({ owner: z.string(), revision: z.string() })).default([]),
  rules: z.array(rule).default([]),
})

/** A service that knows one key, which may only act; it answers with `status.value` what it would accept. */
export async function actingService() {
  const status = { value: 200 }
  const requests: string[] = []
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      const isKnown = request.headers.authorization === 'Bearer key-of-5'
      response.statusCode = isKnown ? (request.method === 'GET' ? 403 : status.value) : 401
      requests.push(`${request.method} ${request.url} ${body} ${response.statusCode}`)
      response.end()
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  const { port } = server.address() as AddressInfo
  return { api: `http://127.0.0.1:${port}/api/v0`, status, requests }
}

/** An instance of one shell: the script in its folder, and only these programs on the path. */
export async function instanceWith(shell: Shell, tool: Tool | null) {
  const home = await temporaryFolder()
  const folder = join(home, '.slipway')
  const path = join(home, 'bin')
  const terminals = join(home, 'terminals')
  for (const made of [folder, path, terminals]) await mkdir(made, { mode: 0o700 })
  await writeFile(join(folder, 'guard.sh'), await readFile(scriptFile))
  for (const name of [...programs, ...morePrograms, ...(tool === null ? [] : [tool])])
    await symlink(findProgram(name), join(path, name))
  const env = {
    ...{ PATH: path, HOME: home, SLIPWAY_DIR: folder, SLIPWAY_TERMINALS: terminals },
    ...{ SLIPWAY_TICK: '1', SLIPWAY_LOAD: '1000000', SLIPWAY_WARNING: '2' },
  }
  const applet = shell === 'busybox' ? ['sh'] : []
  async function run(command: string, input = '', more: Readonly<Record<string, string>> = {}) {
    const child = spawn(findProgram(shell), [...applet, join(folder, 'guard.sh'), command], {
      env: { ...env, ...more },
      stdio: ['pipe', 'pipe', 'inherit'],
    })
    // What refuses an order may not read it.
    child.stdin.on('error', () => undefined)
    child.stdin.end(input)
    const line = await text(child.stdout)
    return state.parse(JSON.parse(line))
  }
  onTestFinished(async () => {
    await run('disarm')
  })
  return {
    home,
    folder,
    terminals,
    run,
    /** Puts a program of these lines on the path. */
    stub: async (name: string, lines: string) => {
      await writeFile(join(path, name), `#!/bin/sh\n${lines}\n`)
      await chmod(join(path, name), 0o755)
    },
  }
}

/** What Slipway sends for instance 5. */
export function orderOf(
  api: string,
  rules: readonly string[],
  { owner = 'laptop', key = 'key-of-5' }: { readonly owner?: string; readonly key?: string } = {},
): string {
  const lines = [`owner=${owner}`, 'revision=r1', 'id=5', `api=${api}`, `key=${key}`]
  return [...lines, ...rules.map((each) => `rule=${each}`), ''].join('\n')
}
