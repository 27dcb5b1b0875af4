import type { Client, ClientChannel } from 'ssh2'
import type { Clock } from '../../../domain/base/clock.ts'
import { sendSignal } from '../protocol/send-signal.ts'
import { endProcesses } from './end-processes.ts'

/** For the search, which asks the processes to end, and makes those that are left after about as long. */
const searchMs = 2_000
/** Then for each signal, also where no search was made. All of it is less than quitting waits for. */
const signalMs = 1_250
/** Between two searches that have found nothing while the channel is open: the command may be about to start. */
const searchAgainMs = 250

/**
 * Asks a command to end, then makes it, then leaves it. Its processes are looked for, because servers need not pass
 * signals on (RFC 4254 section 6.9), or do it to the first of them only. Where nothing can be looked for, or it takes
 * too long, signals are sent all the same.
 *
 * @param closed resolves when the channel has closed: whether the server has said how the command ended
 * @returns whether it has ended; else it may go on there
 */
export async function endCommand(
  {
    client,
    channel,
    id,
    clock,
  }: {
    readonly client: Client
    readonly channel: ClientChannel
    /** Given to `markedCommand`. */
    readonly id: string
    readonly clock: Clock
  },
  closed: Promise<boolean>,
): Promise<boolean> {
  let closedHow: 'told' | 'untold' | null = null
  const closing = closed.then((isTold) => {
    closedHow = isTold ? 'told' : 'untold'
  })
  const tooLong = new AbortController()
  const unsearchable = Promise.withResolvers<null>()

  async function search(): Promise<boolean> {
    for (;;) {
      const how = closedHow
      const ended = await endProcesses(client, id, tooLong.signal)
      if (ended === 'some') return false
      // The channel may have closed with the first of the processes, or be about to.
      if (ended === 'all') return closing.then(() => true)
      if (ended === 'unknown') unsearchable.resolve(null)
      // A connection that is lost closes its channels, and ends no command.
      if (how !== null) return ended === 'none' || how === 'told'
      if (tooLong.signal.aborted) return false
      await Promise.race([closing, clock.sleep(searchAgainMs)])
    }
  }

  const pause = (ms: number): Promise<null> => clock.sleep(ms).then(() => null)
  const ended = search()
  // One who is asked twice may take that for impatience, and leave its work as it is.
  let hasEnded = await Promise.race([ended, unsearchable.promise, pause(searchMs)])
  for (const signal of ['TERM', 'KILL'] as const) {
    if (hasEnded !== null) return hasEnded
    sendSignal(client, channel, signal)
    hasEnded = await Promise.race([ended, pause(signalMs)])
  }
  tooLong.abort()
  channel.close()
  channel.destroy()
  return hasEnded ?? false
}
