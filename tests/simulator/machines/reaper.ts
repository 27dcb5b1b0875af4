/**
 * The reaper of one simulator: `node reaper.ts <folder>`, with a pipe from the simulator as its standard input.
 *
 * When the pipe closes, because the simulator has closed it or because it has died in whatever way, the reaper ends all
 * that still runs for the instances in the folder, removes the folder and exits. So no sshd outlives its simulator, and
 * an orderly end takes the same path as a kill.
 */
import { rm } from 'node:fs/promises'
import { endProcessesOf } from './processes.ts'

const folder = process.argv[2]
if (folder === undefined) throw new Error('usage: reaper.ts <folder>')

// Ctrl-C in a terminal goes to the whole group of processes; this one has to be there last.
process.on('SIGINT', () => undefined)
process.stdin.resume()
await new Promise((resolve) => {
  // However the pipe ends, the simulator is gone.
  for (const event of ['end', 'close', 'error']) process.stdin.once(event, resolve)
})
await endProcessesOf(folder)
await rm(folder, { recursive: true, force: true })
