import { spawn } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

const top = join(import.meta.dirname, '..', '..', '..')

export interface Ended {
  readonly code: number | null
  /** Standard output and standard error as they came. */
  readonly output: string
}

/** A folder with this project's tools and whatever files a test needs, to run them in. */
export function createProject(files: Readonly<Record<string, string>>): {
  readonly folder: string
  readonly write: (path: string, text: string) => void
  /** `onOutput` is told all that was printed so far, whenever more has come. */
  readonly run: (
    tool: string,
    args?: readonly string[],
    environment?: NodeJS.ProcessEnv,
    onOutput?: (output: string) => void,
  ) => Promise<Ended>
  readonly remove: () => void
} {
  const folder = mkdtempSync(join(tmpdir(), 'slipway-tools-'))
  const write = (path: string, text: string): void => {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text, { mode: 0o755 })
  }
  cpSync(join(top, 'tools'), join(folder, 'tools'), { recursive: true })
  for (const [path, text] of Object.entries(files)) write(path, text)
  return {
    folder,
    write,
    run: (tool, args = [], environment = {}, onOutput = () => undefined) =>
      runNode([join(folder, 'tools', tool), ...args], environment, onOutput),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  }
}

function runNode(
  args: readonly string[],
  environment: NodeJS.ProcessEnv,
  onOutput: (output: string) => void,
): Promise<Ended> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, args, {
      // What vitest sets for its own workers is not for a run inside a test.
      env: { HOME: process.env['HOME'], PATH: process.env['PATH'], ...environment },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let output = ''
    const keep = (piece: Buffer): void => {
      output += piece.toString()
      onOutput(output)
    }
    child.stdout.on('data', keep)
    child.stderr.on('data', keep)
    child.once('error', reject)
    child.once('close', (code) => {
      resolve({ code, output })
    })
  })
}
