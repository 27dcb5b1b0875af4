import { assertNever } from '../base/assert-never.ts'
import { bytesText, secondsText } from '../base/format-amounts.ts'
import { counted, plural } from '../base/plural.ts'
import { longestCopy, type EditedCopy } from '../files/edited-copy.ts'
import { instanceOf, type Transfer, type TransferOrder } from '../files/transfer.ts'
import type { Run, RunPhase } from '../runs/run.ts'
import type { Notification } from './notification.ts'

/** Something that the user waits for has ended, or goes no further without them. */
function done(instanceId: number | null, title: string, body: string, path: string): Notification {
  return { kind: 'done', title, body, instanceId, path }
}

/**
 * @param seconds how long it took; `null` where Slipway was closed in between
 * @returns `null` while it goes on, and when its user ended it
 */
export function transferNotification(
  { order, phase, progress, skippedCount }: Pick<Transfer, 'order' | 'phase' | 'progress' | 'skippedCount'>,
  seconds: number | null,
): Notification | null {
  // Of two, where the files go.
  const instanceId = instanceOf(order.target) ?? instanceOf(order.source)
  const subject = subjectOf(order)
  const about = (end: string, body: string): Notification =>
    done(instanceId, `${subject} ${end}`, body, `/instances/${instanceId}/files`)
  if (phase.kind === 'asking') {
    const files = `${counted(phase.count, 'file')} already ${plural(phase.count, 'exists', 'exist')}.`
    return about('needs an answer', `${files} Choose what to do with them in Files.`)
  }
  if (phase.kind === 'failed')
    return about('failed', 'What was copied stays. Files shows why, and “Try again” resumes.')
  if (phase.kind !== 'done') return null
  const amount = `${counted(progress.filesDone, 'file')}, ${bytesText(progress.bytesDone)}`
  const time = seconds === null ? '' : ` in ${secondsText(seconds)}`
  const gap = skippedCount === 0 ? '' : ` Skipped: ${counted(skippedCount, 'entry', 'entries')}.`
  return about('finished', `${amount}${time}.${gap}`)
}

function subjectOf({ source, target }: TransferOrder): string {
  if (target.side === 'local') return `Download from instance ${instanceOf(source)}`
  if (source.side === 'local') return `Upload to instance ${target.instanceId}`
  return `Copy from instance ${source.instanceId} to instance ${target.instanceId}`
}

/**
 * Never with the file's name: it's a host's word.
 *
 * @returns `null` where nothing is to be uploaded, or where it is on its way or was left by a run before
 */
export function copyNotification({
  instanceId,
  state,
}: Pick<EditedCopy, 'instanceId' | 'state'>): Notification | null {
  const about = (how: string, body: string): Notification =>
    done(instanceId, `Edited file of instance ${instanceId} ${how}`, body, `/instances/${instanceId}/files`)
  const kept = 'Your changes are stored on this computer.'
  switch (state.kind) {
    case 'waiting':
      return state.problem === null
        ? null
        : about('isn’t uploaded yet', `${kept} Slipway uploads them when you’re connected again.`)
    case 'changed':
      return about('needs an answer', `${kept} Someone changed the file on the instance. Files shows both.`)
    case 'asks-in-place':
      return about('needs an answer', `${kept} Files asks how to save it on the instance.`)
    case 'failed':
      return about('wasn’t uploaded', `${kept} Files shows why.`)
    case 'too-long':
      return about(
        'wasn’t uploaded',
        `It’s over ${bytesText(longestCopy)}. Make it smaller, then save again.`,
      )
    case 'same':
    case 'uploading':
    case 'missing':
      return null
    default:
      return assertNever(state)
  }
}

/** A command ended on all of its instances. */
export function runNotification({ places }: Pick<Run, 'places'>): Notification {
  const only = places.length === 1 ? (places[0]?.instanceId ?? null) : null
  const where = only === null ? counted(places.length, 'instance') : `instance ${only}`
  const phases = places.map(({ phase }) => phase)
  const count = (kind: RunPhase['kind']): number => phases.filter((phase) => phase.kind === kind).length
  const exits = phases.filter((phase) => phase.kind === 'exited')
  const failed = exits.filter(({ code }) => code !== 0)
  const parts: readonly (readonly [number, string])[] = [
    [exits.length - failed.length, 'succeeded'],
    [failed.length, `failed${exitCodes(failed.map(({ code }) => code))}`],
    [count('not-connected'), 'not run'],
    [count('lost'), 'lost the connection'],
    [count('stopped'), 'stopped'],
  ]
  const body = parts.flatMap(([number, word]) => (number > 0 ? [`${number} ${word}`] : [])).join(', ')
  return done(only, `Command ended on ${where}`, `${body}.`, '/run')
}

/** More of them say less than their number. */
const mostCodes = 3

/** Codes alone: the names of signals are a host's words. */
function exitCodes(codes: readonly (number | null)[]): string {
  const known = [...new Set(codes)].filter((code) => code !== null)
  if (known.length === 0 || known.length > mostCodes) return ''
  return ` (exit ${plural(known.length, 'code')} ${known.join(', ')})`
}

/** Why what runs in a terminal counts as done. */
export type TerminalDone =
  | { readonly kind: 'silent'; readonly seconds: number }
  /** The shell says so, as far as it can: `code` is `null` where it tells none. */
  | { readonly kind: 'command-ended' | 'shell-ended'; readonly code: number | null }
  | { readonly kind: 'lost' }

/** Never with a word of what the terminal shows. */
export function terminalNotification(
  { instanceId, terminalId }: { readonly instanceId: number; readonly terminalId: string },
  end: TerminalDone,
): Notification {
  const about = (title: string, body: string): Notification =>
    done(instanceId, title, body, `/terminals?show=${encodeURIComponent(terminalId)}`)
  const code = 'code' in end && end.code !== null ? ` (exit code ${end.code})` : ''
  switch (end.kind) {
    case 'silent':
      return about(
        `No output for ${counted(end.seconds, 'second')} on instance ${instanceId}`,
        'The command in the terminal may be done, or may be waiting.',
      )
    case 'command-ended':
      return about(
        `Command ended on instance ${instanceId}${code}`,
        'The shell in the terminal reported its end.',
      )
    case 'shell-ended':
      return about(
        `Shell ended on instance ${instanceId}${code}`,
        'Its terminal shows the last output. You’re still charged for the instance.',
      )
    case 'lost':
      return about(
        `Connection to instance ${instanceId} lost`,
        'Processes in the terminal’s shell may have ended. You’re still charged for the instance.',
      )
  }
}
