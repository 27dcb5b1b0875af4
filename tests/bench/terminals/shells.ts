import type { RawData, WebSocket } from 'ws'
import { terminalMessage } from '#contract/terminal-port.ts'
import type { MessagePortLike } from '../../../src-main/ipc/message-port.ts'
import { openTerminalPort } from '../../../src-main/ipc/terminal-port.ts'
import type { Connections } from '#services/ssh/connection/connections.ts'
import type { TerminalPort } from '#services/terminals/terminal.ts'
import { createTerminals } from '#services/terminals/terminals.ts'
import { systemClock } from '../../../src-main/app/system-clock.ts'
import { memoryLog } from '../../support/memory-log.ts'
import { instanceIds, type BenchMachine } from '../ssh/bench-machine.ts'
import { startOpenSsh } from '../ssh/open-ssh.ts'
import type { ShellRequest } from './page/bench-page.ts'
import { openWatermarkShell } from './watermarks.ts'

interface Size {
  readonly cols: number
  readonly rows: number
}

/** What main does for the page's shells, each kind on connections of its own. */
export interface Shells {
  readonly serve: (socket: WebSocket, request: ShellRequest, size: Size) => void
  /** The most bytes that Slipway had sent and the screen had not taken, since it was asked last. */
  readonly takeMostOutstanding: () => number
  readonly end: () => Promise<void>
}

export function createShells(machine: BenchMachine): Shells {
  const connections = machine.connect()
  const others: Connections = machine.connect()
  let ids = 0
  let mostOutstanding = 0
  const terminals = createTerminals({
    connections,
    knownHostsFile: machine.knownHostsFile,
    clock: systemClock,
    randomId: () => `terminal-${(ids += 1)}`,
    log: memoryLog(),
    notify: () => undefined,
    labelOf: () => null,
    chooseFile: () => Promise.resolve(null),
    redactLines: (text) => text,
  })

  function serveSlipway(socket: WebSocket, instanceId: number, size: Size): void {
    const { terminalId } = terminals.open({ instanceId, wish: { kind: 'plain' }, ...size })
    const port = openTerminalPort(portOf(socket), memoryLog())
    terminals.attach(
      terminalId,
      counted(port, (outstanding) => (mostOutstanding = Math.max(mostOutstanding, outstanding))),
    )
  }

  return {
    serve: (socket, { kind, distance }, size) => {
      const instanceId = instanceIds[distance]
      if (kind === 'slipway') serveSlipway(socket, instanceId, size)
      else if (kind === 'watermarks') void openWatermarkShell(others, instanceId, size, endOf(socket))
      else {
        const ssh = startOpenSsh(machine, distance)
        ssh.stdout.on('data', (piece: Buffer) => socket.send(piece))
        endOf(socket).listen({
          input: (data) => ssh.stdin.write(data),
          taken: () => undefined,
          commandEnded: () => undefined,
          closed: () => void ssh.kill(),
        })
      }
    },
    takeMostOutstanding: () => {
      const most = mostOutstanding
      mostOutstanding = 0
      return most
    },
    end: () => terminals.dispose(),
  }
}

/** A socket in the place of Electron's port. */
function portOf(socket: WebSocket): MessagePortLike {
  return {
    postMessage: (value) => socket.send(value as Uint8Array),
    on: (event: 'message' | 'close', listener: (event: { readonly data: unknown }) => void) => {
      if (event === 'close') socket.on('close', () => listener({ data: null }))
      else socket.on('message', (data) => listener({ data: parsed(data) }))
    },
    start: () => undefined,
    close: () => socket.close(),
  }
}

/** The same for those that are not Slipway's. */
function endOf(socket: WebSocket): TerminalPort {
  return {
    listen: ({ input, taken, commandEnded, closed }) => {
      socket.on('close', closed)
      socket.on('message', (data) => {
        const message = terminalMessage.parse(parsed(data))
        if (message.kind === 'input') input(message.data)
        else if (message.kind === 'taken') taken(message.bytes)
        else commandEnded(message.code)
      })
    },
    post: (bytes) => socket.send(bytes),
    close: () => socket.close(),
  }
}

function parsed(data: RawData): unknown {
  return JSON.parse((data as Buffer).toString())
}

function counted(port: TerminalPort, note: (outstanding: number) => void): TerminalPort {
  let [posted, took] = [0, 0]
  return {
    ...port,
    listen: (events) =>
      port.listen({
        ...events,
        taken: (bytes) => {
          took = bytes
          events.taken(bytes)
        },
      }),
    post: (bytes) => {
      posted += bytes.length
      note(posted - took)
      port.post(bytes)
    },
  }
}
