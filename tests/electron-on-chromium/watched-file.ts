import { type FSWatcher, watch } from 'node:fs'

/** Tells of each change to a file of a folder, for as long as there is that folder; keeps no process from its end. */
export function watchFile(folder: string, name: string, changed: () => void): FSWatcher {
  const watcher = watch(folder, (_event, found) => {
    if (found === name) changed()
  })
  // By which Windows tells that the folder is gone, as it is after a test.
  watcher.on('error', () => watcher.close())
  return watcher.unref()
}
