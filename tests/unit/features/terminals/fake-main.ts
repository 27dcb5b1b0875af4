import type { TerminalState } from '#domain/terminals/terminal-state.ts'
import { Latest } from '#domain/base/latest.ts'
import { terminalMessage, type TerminalMessage } from '#contract/terminal-port.ts'
import type { TerminalCalls } from '../../../../src-renderer/features/terminals/terminal-line.ts'

/** The terminals part of main, as the contract describes it, with one terminal. */
export class FakeMain {
  readonly state = new Latest<TerminalState>({ kind: 'connecting', address: null })
  readonly asked: string[] = []
  readonly received: TerminalMessage[] = []
  readonly ports: MessagePort[] = []
  /** What the next call fails with. */
  failure: Error | undefined

  readonly calls: TerminalCalls = {
    open: async (input) => {
      this.#note('open', input)
      return { terminalId: 't1' }
    },
    watch: async (_, { signal }) => this.state.watch(signal),
    resize: async (input) => this.#note('resize', input),
    setWish: async (input) => this.#note('setWish', input),
    notifyWhenDone: async (input) => this.#note('notifyWhenDone', input),
    startLog: async (input) => this.#note('startLog', input),
    stopLog: async (input) => this.#note('stopLog', input),
    setFolder: async (input) => this.#note('setFolder', input),
    reconnect: async (input) => this.#note('reconnect', input),
    close: async (input) => this.#note('close', input),
  }

  readonly openPort = (terminalId: string): MessagePort => {
    this.asked.push(`port ${terminalId}`)
    const { port1, port2 } = new MessageChannel()
    port1.onmessage = ({ data }: MessageEvent<unknown>) => {
      this.received.push(terminalMessage.parse(data))
    }
    this.ports.push(port1)
    return port2
  }

  #note(call: string, input: object): void {
    this.asked.push(`${call} ${JSON.stringify(input)}`)
    const { failure } = this
    this.failure = undefined
    if (failure) throw failure
  }

  /** Closes what a test left open, so that the process can end. */
  dispose(): void {
    for (const port of this.ports) port.close()
  }
}
