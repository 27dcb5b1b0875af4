import { readFile } from 'node:fs/promises'

/** Whether a process of this computer runs (Linux). A zombie has ended: only nobody has asked for its exit status. */
export async function isRunning(pid: number): Promise<boolean> {
  const stat = await readFile(`/proc/${String(pid)}/stat`, 'utf8').catch((error: unknown) => {
    if (error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ESRCH'))
      return ''
    throw error
  })
  // "pid (command) state …", where the command may itself hold spaces and brackets.
  const [, state] = /\) (\S) [^)]*$/.exec(stat) ?? []
  return state !== undefined && state !== 'Z'
}
