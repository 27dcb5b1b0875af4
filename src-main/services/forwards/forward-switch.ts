import type { ForwardState, ForwardTraffic } from '../../domain/forwards/forward.ts'
import type { Log } from '../../domain/base/log.ts'
import type { ForwardListener } from './listen.ts'
import { runForward, type RunOptions } from './running-forward.ts'
import { Tunnels } from './tunnels.ts'

export interface ForwardSwitchOptions extends Pick<RunOptions, 'connections' | 'listeners' | 'clock'> {
  readonly log: Log
  readonly onChange: () => void
}

/** One forward, on or off; its bytes are counted over all the times that it is on. */
export class ForwardSwitch {
  readonly #options: ForwardSwitchOptions
  readonly #tunnels = new Tunnels()
  #state: ForwardState = { kind: 'stopped' }
  #run = new AbortController()
  #ended: Promise<void> = Promise.resolve()
  #browsers: ForwardListener['browsers'] = null

  constructor(options: ForwardSwitchOptions) {
    this.#options = options
  }

  get state(): ForwardState {
    return this.#state
  }

  /** Where a browser of this computer reaches it, once it is open. */
  get browsers(): ForwardListener['browsers'] {
    return this.#browsers
  }

  get traffic(): ForwardTraffic {
    return this.#tunnels.traffic
  }

  /** Also while it still connects. */
  get isOn(): boolean {
    return this.#state.kind !== 'stopped' && this.#state.kind !== 'failed'
  }

  /** Begins anew when it is on already. */
  turnOn(wanted: Pick<RunOptions, 'plan' | 'instanceId' | 'isPatient'>): void {
    this.#run.abort()
    const own = new AbortController()
    this.#run = own
    const { log, onChange, ...shared } = this.#options
    const show = (state: ForwardState): void => {
      if (own.signal.aborted) return
      this.#state = state
      onChange()
    }
    // One after the other: the former one may not have let go of its port yet.
    this.#ended = this.#ended.then(async () => {
      if (own.signal.aborted) return
      try {
        const onListening: RunOptions['onListening'] = ({ browsers }) => {
          this.#browsers = browsers
        }
        await runForward({ ...shared, ...wanted, tunnels: this.#tunnels, show, onListening }, own.signal)
      } catch (error) {
        const detail = `an unexpected fault, in the log under ${log.error('A forward ended', error)}`
        show({ kind: 'failed', problem: { kind: 'cannot-listen', detail } })
      }
    })
    show({ kind: 'connecting' })
  }

  /** Off at once for those who look; its port may be free a little later. */
  turnOff(): void {
    this.#run.abort(new Error('the forward was turned off'))
    this.#state = { kind: 'stopped' }
  }
}
