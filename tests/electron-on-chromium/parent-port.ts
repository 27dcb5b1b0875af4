import { EventEmitter } from 'node:events'

/** As in Electron, what comes before somebody listens waits. */
class ParentPort extends EventEmitter {
  #waiting: unknown[] | null = []

  constructor() {
    super()
    this.on('newListener', (name) => {
      if (name === 'message') queueMicrotask(() => this.#start())
    })
  }

  postMessage(message: unknown): void {
    process.send?.(message)
  }

  receive(data: unknown): void {
    if (this.#waiting) this.#waiting.push(data)
    else this.emit('message', { data, ports: [] })
  }

  #start(): void {
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
