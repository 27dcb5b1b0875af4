import { execFile, spawn } from 'node:child_process'
import { homedir } from 'node:os'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** `open` answers once the program has been found and told. */
const openMs = 20_000

/**
 * Starts the user's own program with one file: without a shell, with the file's absolute path alone, and in the home
 * folder, so that nothing beside the file counts. Never by the file's type: a stranger's file could be a program.
 *
 * @param platform as Node names it
 */
export function startEditor(platform: string): (program: string, path: string) => Promise<boolean> {
  return async (program, path) => {
    if (platform !== 'darwin' || !program.endsWith('.app')) return started(program, path)
    return run('/usr/bin/open', ['-a', program, path], { timeout: openMs }).then(
      () => true,
      () => false, // the user is told
    )
  }
}

/** It goes on when Slipway ends. */
function started(program: string, path: string): Promise<boolean> {
  return new Promise((resolve) => {
    try {
      const child = spawn(program, [path], { cwd: homedir(), detached: true, stdio: 'ignore', shell: false })
      child.once('error', () => resolve(false))
      child.once('spawn', () => {
        child.unref()
        resolve(true)
      })
    } catch {
      // Such as a script of the shell on Windows.
      resolve(false)
    }
  })
}
