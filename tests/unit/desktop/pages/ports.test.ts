import { EventEmitter } from 'node:events'
import { describe, expect, it } from 'vitest'
import { acceptPorts, type Handover } from '../../../../src-main/desktop/pages/ports.ts'
import type { PortRequest } from '#contract/ports.ts'
import type { MessagePortLike } from '../../../../src-main/ipc/message-port.ts'
import { memoryLog } from '../../../support/memory-log.ts'

/** Electron's port: it does not tell of its own `close`. */
class ElectronPort extends EventEmitter {
  readonly posted: unknown[] = []
  isClosed = false
  isStarted = false
  postMessage(value: unknown): void {
    this.posted.push(value)
  }
  start(): void {
    this.isStarted = true
  }
  close(): void {
    this.isClosed = true
  }
}

const mainFrame = { origin: 'app://slipway', parent: null }

const embeddedFrame = { ...mainFrame, parent: mainFrame }

class Contents extends EventEmitter {
  readonly ipc = new EventEmitter()
  readonly mainFrame = mainFrame
}

/** As Electron has it: whatever is asked of a frame that is gone throws. */
const disposedFrame = {
  parent: null,
  get origin(): string {
    throw new Error('Render frame was disposed before WebFrameMain could be accessed')
  },
}

function setUp() {
  const contents = new Contents()
  const log = memoryLog()
  const document = { isServed: true }
  const accepted: { request: PortRequest; port: MessagePortLike }[] = []
  acceptPorts(contents, {
    page: { origin: 'app://slipway', url: 'app://slipway/index.html' },
    isServed: () => document.isServed,
    onPort: (request, port) => accepted.push({ request, port }),
    log,
  })
  const handOver = (message: unknown, handover: Partial<Handover> = {}): ElectronPort => {
    const port = new ElectronPort()
    contents.ipc.emit('slipway:port', { senderFrame: mainFrame, ports: [port], ...handover }, message)
    return port
  }
  return { contents, document, log, accepted, handOver }
}

describe('a port that the page hands over', () => {
  it('is taken with what it is for', () => {
    const { accepted, handOver, log } = setUp()
    const electronPort = handOver({ kind: 'terminal', terminalId: 't1' })
    expect(accepted.map(({ request }) => request)).toEqual([{ kind: 'terminal', terminalId: 't1' }])
    const heard: unknown[] = []
    accepted[0]?.port.on('message', ({ data }) => heard.push(data))
    accepted[0]?.port.start()
    accepted[0]?.port.postMessage('out')
    electronPort.emit('message', { data: 'in', ports: [] })
    expect([electronPort.isStarted, electronPort.posted, heard, log.lines]).toEqual([
      true,
      ['out'],
      ['in'],
      [],
    ])
  })

  it('tells its end once, whichever side ended it', () => {
    const { accepted, handOver } = setUp()
    const ports = [handOver({ kind: 'calls' }), handOver({ kind: 'calls' })]
    const ends = [0, 0]
    accepted.forEach(({ port }, index) => port.on('close', () => (ends[index] = (ends[index] ?? 0) + 1)))
    ports[0]?.emit('close')
    accepted[0]?.port.close()
    accepted[1]?.port.close()
    ports[1]?.emit('close')
    accepted[1]?.port.postMessage('too late')
    expect([ends, ports[1]?.posted]).toEqual([[1, 1], []])
  })

  it.each(['did-navigate', 'render-process-gone', 'destroyed'])('is closed on %s', (event) => {
    const { contents, accepted, handOver } = setUp()
    const electronPort = handOver({ kind: 'calls' })
    let isTold = false
    accepted[0]?.port.on('close', () => (isTold = true))
    contents.emit(event)
    expect([electronPort.isClosed, isTold]).toEqual([true, true])
  })
})

describe('security: ports from elsewhere', () => {
  it('are refused from a document that gives way to that of another account', () => {
    const { accepted, document, handOver, log } = setUp()
    document.isServed = false
    expect([handOver({ kind: 'calls' }).isClosed, accepted, log.lines.length]).toEqual([true, [], 1])
    document.isServed = true
    handOver({ kind: 'calls' })
    expect(accepted).toHaveLength(1)
  })
  const calls = { kind: 'calls' }
  it.each<[string, unknown, Partial<Handover>]>([
    ['an embedded frame of the same origin', calls, { senderFrame: embeddedFrame }],
    ['a document that is being unloaded', calls, { senderFrame: { ...mainFrame } }],
    ['a frame that is being disposed of', calls, { senderFrame: disposedFrame }],
    ['a frame that is gone', calls, { senderFrame: null }],
    ['an unknown use', { kind: 'shell' }, {}],
    ['no use', undefined, {}],
    ['an empty terminal', { kind: 'terminal', terminalId: '' }, {}],
    ['no port', calls, { ports: [] }],
    ['two ports', calls, { ports: [new ElectronPort(), new ElectronPort()] }],
  ])('are refused, closed and logged: %s', (_name, message, handover) => {
    const { accepted, handOver, log } = setUp()
    const port = handOver(message, handover)
    expect(accepted).toEqual([])
    expect(log.lines).toHaveLength(1)
    const given = handover.ports ?? [port]
    expect(given.every((one) => one instanceof ElectronPort && one.isClosed)).toBe(true)
  })

  it.each(['https://attacker.example', 'app://slipway.example', 'null'])(
    'are refused from the main frame while it shows %s',
    (origin) => {
      const { accepted, contents, handOver, log } = setUp()
      const elsewhere = { origin, parent: null }
      Object.assign(contents, { mainFrame: elsewhere })
      const port = handOver(calls, { senderFrame: elsewhere })
      expect([accepted, port.isClosed, log.lines.length]).toEqual([[], true, 1])
    },
  )
})
