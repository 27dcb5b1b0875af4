import { EventEmitter } from 'node:events'

// Imported before the module of a utility process: gives it the port to its parent that Electron gives.
const port = Object.assign(new EventEmitter(), {
  postMessage: (message: unknown) => void process.send?.(message),
})
process.on('message', (data) => port.emit('message', { data, ports: [] }))
// It ends with its parent, also in the middle of a call that hangs.
process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'))
Object.defineProperty(process, 'parentPort', { value: port })
