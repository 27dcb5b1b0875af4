import { terminalMessage } from '../contract/terminal-port.ts'
import type { Log } from '../domain/base/log.ts'
import type { TerminalPort } from '../services/terminals/terminal.ts'
import type { MessagePortLike } from './message-port.ts'

/** A terminal's port as ssh/ knows it. A message that the contract does not know closes it. */
export function openTerminalPort(port: MessagePortLike, log: Log): TerminalPort {
  return {
    listen: ({ input, taken, commandEnded, closed }) => {
      port.on('close', closed)
      port.on('message', ({ data }) => {
        const message = terminalMessage.safeParse(data)
        if (!message.success) {
          log.warn('A terminal’s port was closed: the contract does not know what came over it')
          port.close()
        } else if (message.data.kind === 'input') input(message.data.data)
        else if (message.data.kind === 'taken') taken(message.data.bytes)
        else commandEnded(message.data.code)
      })
      port.start()
    },
    post: (bytes) => port.postMessage(bytes),
    close: () => port.close(),
  }
}
