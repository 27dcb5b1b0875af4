import { execFile } from 'node:child_process'
import { dirname } from 'node:path'
import { promisify } from 'node:util'

/**
 * Which source a folder holds: the commit's short name, with ` with changes` after it where the folder is not as the
 * commit has it. `null` where that cannot be told: no git, or a folder that is not its own clone.
 */
export async function describeCommit(folder: string): Promise<string | null> {
  // Source without a repository may lie in a folder of one that is about something else.
  const env = { ...process.env, GIT_CEILING_DIRECTORIES: dirname(folder) }
  const git = async (...args: string[]): Promise<string> =>
    (await promisify(execFile)('git', args, { cwd: folder, env })).stdout.trim()
  try {
    const name = await git('rev-parse', '--short', 'HEAD')
    return (await git('status', '--porcelain')) === '' ? name : `${name} with changes`
  } catch {
    // No figure is lost for it: the table says nothing of a commit then.
    return null
  }
}
