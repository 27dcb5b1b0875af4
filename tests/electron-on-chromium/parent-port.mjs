// Not TypeScript: to strip it of its types took 35 of the 60 ms until a utility process answers, for which each start waits.
import { EventEmitter } from 'node:events'

/** As in Electron, what comes before somebody listens waits. */
class ParentPort extends EventEmitter {
  /** @type {unknown[] | null} */
  #waiting = []

  constructor() {
    super()
    this.on('newListener', (name) => {
      if (name === 'message') queueMicrotask(() => this.#start())
    })
  }

  /** @param {unknown} message */
  postMessage(message) {
    process.send?.(message)
  }

  /** @param {unknown} data */
  receive(data) {
    if (this.#waiting) this.#waiting.push(data)
    else this.emit('message', { data, ports: [] })
  }

  #start() {
    const waiting = this.#waiting ?? []
    this.#waiting = null
    for (const data of waiting) this.receive(data)
  }
}

// Imported before the module of a utility process: gives it the port to its parent that Electron gives.
const port = new ParentPort()
process.on('message', (data) => port.receive(data))
// It ends with its parent, also in the middle of a call that hangs.
process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'))
Object.defineProperty(process, 'parentPort', { value: port })
