/**
 * Tells the newest of many values, one call at a time: a drag, or a machine, makes hundreds. What is returned is
 * called whenever there is something new; `call` tells what is newest then.
 */
export function newestCall(call: () => Promise<void>): () => void {
  let isCalling = false
  let isNew = false

  return function tell(): void {
    isNew = true
    if (isCalling) return
    isCalling = true
    isNew = false
    void call().finally(() => {
      isCalling = false
      if (isNew) tell()
    })
  }
}
