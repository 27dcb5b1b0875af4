import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { chmod, mkdir, readFile, rename, stat, symlink, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { onTestFinished } from 'vitest'
import { z } from 'zod'
import { scriptText } from '#services/guards/on-instance/script-text.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

/** The script that Slipway brings to instances. */
export const script = await scriptText(join(import.meta.dirname, '../../../resources/machine'))
/**
 * A terminal of such an instance. The system has none of this number, so no server that another test runs has anybody
 * logged in on it: for the script that would be a login.
 */
export const terminal = '9999'
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
  ...[
    'awk',
    'cat',
    'date',
    'grep',
    'kill',
    'ls',
    'mkdir',
    'mv',
    'nohup',
    'nproc',
    'rm',
    'sed',
    'setsid',
    'sleep',
  ],
  ...['stat', 'tail', 'timeout', 'touch', 'tr'],
]

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
  proven: z.boolean().optional(),
  acted: z.array(z.looseObject({ owner: z.string(), id: z.string() })).default([]),
})

interface Reply {
  readonly status: number
  readonly body?: string
}
/** What a service says to a key that it knows, which may only act, and to others. */
const usual = {
  get: { status: 403 } as Reply,
  act: { status: 200 } as Reply,
  unknownKey: { status: 401 } as Reply,
}

/** A service that knows the key of instance 5; `answers` may be changed. It looks around before each answer. */
export async function actingService(port = 0, lookAround = () => Promise.resolve()) {
  const answers = { ...usual }
  const requests: string[] = []
  const server = createServer((request, response) => {
    void text(request).then(async (body) => {
      await lookAround()
      const known = request.method === 'GET' ? answers.get : answers.act
      const reply = request.headers.authorization === 'Bearer key-of-5' ? known : answers.unknownKey
      response.statusCode = reply.status
      requests.push(`${request.method} ${request.url} ${body} ${reply.status}`)
      response.end(reply.body)
    })
  })
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  const close = (): void => {
    server.close()
    server.closeAllConnections()
  }
  onTestFinished(close)
  const address = server.address() as AddressInfo
  return {
    api: `http://127.0.0.1:${address.port}/api/v0`,
    port: address.port,
    answers,
    requests,
    /** Those that are to change the instance. */
    changes: () => requests.filter((each) => !each.startsWith('GET')),
    close,
  }
}

/** An instance of one shell: the script in its folder, and only these programs on the path. */
export async function instanceWith(shell: Shell, tool: Tool | null) {
  const home = await temporaryFolder()
  const folder = join(home, '.slipway')
  const path = join(home, 'bin')
  const root = join(home, 'root')
  const terminals = join(root, 'dev/pts')
  for (const made of [folder, path, terminals]) await mkdir(made, { mode: 0o700, recursive: true })
  const file = join(folder, 'guard.sh')
  await writeFile(file, script)
  for (const name of [...programs, ...(tool === null ? [] : [tool])])
    await symlink(findProgram(name), join(path, name))
  // The watcher runs by this one, too.
  await symlink(findProgram(shell), join(path, 'sh'))
  const env: Record<string, string> = {
    ...{ PATH: path, HOME: home, SLIPWAY_ROOT: root },
    ...{ SLIPWAY_TICK: '1', SLIPWAY_LOAD: '1000000', SLIPWAY_WARNING: '2' },
  }
  async function run(command: string, input = '', more: Readonly<Record<string, string>> = {}) {
    const child = spawn(join(path, 'sh'), [file, command], {
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
    // Some tests take it away.
    await writeFile(file, script).catch(() => undefined)
    await run('disarm')
  })
  let told: { readonly stamp: string; readonly state: z.infer<typeof state> } | undefined
  /**
   * The script's answer to `state`. The script is asked only when a file that it answers from has changed, and whether
   * the watcher runs is from then: asking starts 16 processes, and a test that waits asks 20 times a second.
   */
  async function toldState() {
    const stamp = await stampOf(['state', 'run', 'acted', 'lock/pid'].map((name) => join(folder, name)))
    if (told?.stamp !== stamp) told = { stamp, state: await run('state') }
    return told.state
  }
  return {
    ...{ home, folder, path, root, terminals, env, run, toldState },
    /** Its only rule, as it stands. */
    rule: async () => (await toldState()).rules[0],
    /** Puts a program of these lines on the path; at no time it's missing or half of it. */
    stub: async (name: string, lines: string) => {
      const next = join(home, 'next')
      await writeFile(next, `#!/bin/sh\n${lines}\n`)
      await chmod(next, 0o755)
      await rename(next, join(path, name))
    },
    /** As if it had started again, with its files as they were. */
    startAgain: async () => {
      await endWatcher(folder)
      await writeFile(join(folder, 'run'), 'another run\n')
    },
    /** Ends what watches, and nothing knows of it. */
    endWatcher: () => endWatcher(folder),
  }
}

/** Another one as soon as one of the files is written, replaced, or removed. */
async function stampOf(paths: readonly string[]): Promise<string> {
  const each = paths.map(async (path) => {
    try {
      const { ino, mtimeNs, size } = await stat(path, { bigint: true })
      return `${ino} ${mtimeNs} ${size}`
    } catch (error) {
      if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return 'none'
      throw error
    }
  })
  return (await Promise.all(each)).join(', ')
}

async function endWatcher(folder: string): Promise<void> {
  const [pid] = (await readFile(join(folder, 'lock/pid'), 'utf8')).split(' ')
  process.kill(Number(pid), 'SIGKILL')
}

/** The ids of the watchers whose folder this is. */
export async function watchersIn(folder: string): Promise<readonly string[]> {
  const { stdout } = await promisify(execFile)('ps', ['-eo', 'pid=,ppid=,args='])
  const lines = stdout.split('\n').filter((line) => line.includes(`${folder}/guard.sh watch`))
  const all = lines.map((line) => line.trim().split(/\s+/, 2))
  const ids = new Set(all.map(([id = '']) => id))
  // A part of a watcher's script that runs beside it looks like one.
  return all.flatMap(([id = '', parent = '']) => (ids.has(parent) ? [] : [id]))
}

interface OrderParts {
  readonly owner?: string
  readonly key?: string
  readonly revision?: string
}

/** As Slipway writes a rule; `a stop after 60 -` has the usual warning, `… 5` one of 5 s, and `idle 60 5` waits for 5 s at least. */
function ruleText(rule: string): string {
  const [id, action, condition, seconds, bound, ...name] = rule.split(' ')
  const length = Number(seconds)
  const times =
    condition === 'after'
      ? [0, bound === '-' ? 300 : bound]
      : [bound === '-' ? 0 : Math.max(0, Number(bound) - length), Math.max(1, Math.floor(length / 2))]
  return ['rule=' + [id, action].join(' '), condition, seconds, ...times, ...name].join(' ')
}

/** What Slipway sends for instance 5. */
export function orderOf(
  api: string,
  rules: readonly string[],
  { owner = 'laptop', key = 'key-of-5', revision = 'r1' }: OrderParts = {},
): string {
  const lines = [`owner=${owner}`, `revision=${revision}`, 'id=5', `api=${api}`, `key=${key}`]
  return [...lines, ...rules.map(ruleText), 'end', ''].join('\n')
}
