import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { join } from 'node:path'

/** A program of the bench in a process of its own, so that its work is not counted as the subject's. */
export interface Child {
  /** Its next line; `null` when it has ended. */
  readonly line: () => Promise<string | null>
  readonly tell: (line: string) => void
  readonly end: () => Promise<void>
}

export function startChild(
  program: string,
  args: readonly string[],
  nodeOptions: readonly string[] = [],
): Child {
  const child = spawn(process.execPath, [...nodeOptions, join(import.meta.dirname, program), ...args], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const exited = once(child, 'exit')
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]()
  return {
    line: async () => {
      const { done, value } = await lines.next()
      return done === true ? null : value
    },
    tell: (line) => void child.stdin.write(`${line}\n`),
    end: async () => {
      child.kill()
      await exited
    },
  }
}
