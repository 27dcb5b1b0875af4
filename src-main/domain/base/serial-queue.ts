/** Runs tasks one after the other, in the order in which they came. One that fails does not stop the next. */
export class SerialQueue {
  #last: Promise<unknown> = Promise.resolve()

  take<T>(task: () => Promise<T>): Promise<T> {
    const result = this.#last.then(task)
    this.#last = result.then(nothing, nothing)
    return result
  }
}

function nothing(): void {}
