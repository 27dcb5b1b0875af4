import { finishBeforeEnd } from './pending-saves.ts'

/**
 * Tells the newest of many values, one call at a time: a drag, or a machine, makes hundreds. What is returned is
 * called whenever there is something new, and resolves when all of it is told; `call` tells what is newest then.
 *
 * @param call never rejects: it tells its own failures
 */
export function newestCall(call: () => Promise<void>): () => Promise<void> {
  let isNew = false
  let isCalling = false
  let told = Promise.resolve()

  async function callWhileNew(): Promise<void> {
    isCalling = true
    while (isNew) {
      isNew = false
      await call()
    }
    isCalling = false
  }

  return function tell(): Promise<void> {
    isNew = true
    if (!isCalling) told = finishBeforeEnd(callWhileNew())
    return told
  }
}
