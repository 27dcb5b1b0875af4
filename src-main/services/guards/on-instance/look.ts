import { assertNever } from '../../../domain/base/assert-never.ts'
import type { Clock } from '../../../domain/base/clock.ts'
import {
  dependsOnUse,
  endedAfterMinutes,
  type Guard,
  type GuardCondition,
} from '../../../domain/guards/guard.ts'
import type { LastWord, WatchedGuard, WatcherRefusal } from '../../../domain/guards/watcher.ts'
import type { ConnectionLease } from '../../ssh/connection/connections.ts'
import { askScript } from '../../ssh/scripts/ask-script.ts'
import type { LastWords } from './last-words.ts'
import { readAnswer, type ScriptAnswer } from './script-answer.ts'
import { executionOf, type ScriptCommand } from './script-command.ts'
import { orderText, revisionOf, scriptVersion, type OrderedGuard } from './script-order.ts'
import { scriptText } from './script-text.ts'

type ArmedAnswer = Extract<ScriptAnswer, { armed: true }>

/** What a look at an instance came to. */
export interface Heard {
  /** How it stands now; `null` when it doesn't say: it may go on as it was told before. */
  readonly answer: ScriptAnswer
  /** Why it did not take what it was told; what it had before it still has. */
  readonly refusal: WatcherRefusal | null
  /** What it was to watch. */
  readonly ordered: readonly OrderedGuard[]
  /** Whether it was told so now. */
  readonly isTold: boolean
}

export interface LookOptions {
  readonly instanceId: number
  readonly lease: ConnectionLease
  readonly words: LastWords
  /** Takes in what the instance has done; the guards that it is to watch now, as far as they can be told. */
  readonly settle: (before: ScriptAnswer) => Promise<readonly OrderedGuard[]>
  readonly keyOf: (instanceId: number) => Promise<string | null>
  readonly serviceAddress: () => string
  /** The folder of the scripts that run on instances. */
  readonly scripts: string
  readonly clock: Clock
  readonly randomId: () => string
  readonly signal: AbortSignal
}

/** A watcher that has not looked for so long is stuck: it looks every 15 s, and a look may take a minute. */
const stuckAfterSeconds = 180

/** Whether something watches there, so that what the answer says holds. */
export function isAlive(answer: ScriptAnswer): answer is ArmedAnswer {
  return answer?.armed === true && answer.running && answer.now - answer.uptime <= stuckAfterSeconds
}

/**
 * Asks an instance how its guards stand, and has it watch those that it is to.
 *
 * @throws SshFailure channel-refused, link-lost, timeout; ProblemError storage-failed; the signal's reason
 */
export async function lookAt(options: LookOptions): Promise<Heard> {
  const { instanceId, words, serviceAddress } = options
  const ask = (command: ScriptCommand): Promise<ScriptAnswer> => askOnce(command, options)
  const before = await ask({ kind: 'state' })
  const ordered = await options.settle(before)
  if (hasAll(before, ordered, options)) return { answer: before, refusal: null, ordered, isTold: false }
  // Written first: what the instance was told must be taken back one day, whatever becomes of the answer.
  const owner = await words.noteTold(instanceId, toldBy(ordered, options))
  const order = orderText({
    ...{ owner, instanceId, serviceAddress: serviceAddress(), key: (await options.keyOf(instanceId)) ?? '' },
    ...{ guards: ordered, now: options.clock.now() },
  })
  // What is removed needs no script of this version, nor a disk with room for one.
  const isScriptThere = before?.armed === true && (ordered.length === 0 || before.version >= scriptVersion)
  const first = isScriptThere ? await ask({ kind: 'arm', script: null, order }) : null
  const isAnswered = first !== null && (refusalIn(first) !== null || hasAll(first, ordered, options))
  // One that was changed there, or taken away, or whose state is broken, is replaced.
  const after = isAnswered
    ? first
    : await ask({ kind: 'arm', script: await scriptText(options.scripts), order })
  const refusal = refusalIn(after)
  if (after === null || refusal !== null) return { answer: known(before), refusal, ordered, isTold: false }
  return { answer: after, refusal, ordered, isTold: true }
}

/** Takes the rules of all computers from an instance. Throws as `lookAt`. */
export async function disarm(
  options: Pick<LookOptions, 'lease' | 'clock' | 'randomId' | 'signal'>,
): Promise<void> {
  await askOnce({ kind: 'disarm' }, options)
}

async function askOnce(
  command: ScriptCommand,
  { lease, clock, randomId, signal }: Pick<LookOptions, 'lease' | 'clock' | 'randomId' | 'signal'>,
): Promise<ScriptAnswer> {
  return readAnswer(await askScript(executionOf(command), { lease, clock, randomId, signal }))
}

function refusalIn(answer: ScriptAnswer): WatcherRefusal | null {
  return answer?.armed === false && answer.why !== 'not-armed' ? answer.why : null
}

/** What cannot even say whether it watches has not said that it doesn't. */
function known(answer: ScriptAnswer): ScriptAnswer {
  return refusalIn(answer) === null ? answer : null
}

/** Whether it watches just what this computer wishes for. What is told again would begin the idle time of others anew. */
function hasAll(answer: ScriptAnswer, ordered: readonly OrderedGuard[], options: LookOptions): boolean {
  const { words, instanceId, serviceAddress, clock } = options
  if (answer === null) return false
  if (!answer.armed) return ordered.length === 0 && answer.why === 'not-armed'
  const own = answer.orders.find(({ owner }) => owner === words.owner)
  if (ordered.length === 0) return own === undefined
  return (
    isAlive(answer) &&
    // One of a newer Slipway, on another computer, does all that this one would ask.
    answer.version >= scriptVersion &&
    own?.revision === revisionOf(ordered, serviceAddress()) &&
    !ordered.some((one) => hasMoved(one, words.of(instanceId), clock.now()))
  )
}

const slackMs = 5 * 60_000

/** Whether a guard that goes by cost is due at quite another time than the instance was told: its rate has changed. */
function hasMoved({ id, condition, dueAt }: OrderedGuard, word: LastWord, now: number): boolean {
  const toldDueAt = word.watched.find((rule) => rule.id === id)?.toldDueAt ?? null
  if (condition.kind !== 'cost' || dueAt === null || toldDueAt === null) return false
  return Math.abs(dueAt - toldDueAt) > Math.max(slackMs, (toldDueAt - now) / 10)
}

function toldBy(ordered: readonly OrderedGuard[], { clock }: LookOptions): readonly WatchedGuard[] {
  return ordered.map(({ id, action, condition, notBefore, dueAt }) => {
    const told = toldCondition(condition)
    const seconds = told.seconds ?? Math.max(1, ((dueAt ?? 0) - clock.now()) / 1000)
    return {
      ...{ id, action, notBefore, toldDueAt: dueAt, seconds, leftSeconds: seconds, elapsedSeconds: 0 },
      ...{ condition: told.kind, busy: null, phase: 'waiting', reply: 0, isHeard: false },
    }
  })
}

/** What an instance watches for a condition, and for how many seconds; `null` where that depends on the time it's due. */
function toldCondition(condition: GuardCondition): {
  readonly kind: WatchedGuard['condition']
  readonly seconds: number | null
} {
  switch (condition.kind) {
    case 'idle':
      return { kind: 'idle', seconds: condition.minutes * 60 }
    case 'process':
      return { kind: 'process', seconds: endedAfterMinutes * 60 }
    case 'after':
    case 'at':
    case 'cost':
    case 'limit':
    case 'stopped':
      return { kind: 'after', seconds: null }
    default:
      return assertNever(condition)
  }
}

/** What a guard is told as; `null` for one whose time can't be reckoned now. @param dueAt by what is known here */
export function orderedFrom(guard: Guard, dueAt: number | null, word: LastWord): OrderedGuard | null {
  if (dependsOnUse[guard.condition.kind]) return { ...guard, dueAt: null }
  // What it was told it keeps, also when the service names no price any more.
  const at = dueAt ?? word.watched.find(({ id }) => id === guard.id)?.toldDueAt ?? null
  return at === null ? null : { ...guard, dueAt: at }
}

/** What an instance that watches says, for this computer. */
export function wordFrom(
  answer: ArmedAnswer,
  { ordered, isTold }: Pick<Heard, 'ordered' | 'isTold'>,
  {
    words,
    instanceId,
    serviceAddress,
    clock,
  }: Pick<LookOptions, 'words' | 'instanceId' | 'serviceAddress' | 'clock'>,
): LastWord {
  const { owner } = words
  const former = words.of(instanceId).watched
  const revision = answer.orders.find((order) => order.owner === owner)?.revision
  const isCurrent = revision === revisionOf(ordered, serviceAddress())
  const own = answer.rules.filter((rule) => rule.owner === owner)
  return {
    instanceId,
    heardAt: clock.now() - Math.max(0, answer.now - answer.uptime) * 1000,
    foreign: answer.rules.length - own.length,
    isProven: answer.proven,
    watched: own.map(({ id, action, condition, elapsed, seconds, left, waits, phase, answer: reply }) => {
      const guard = ordered.find((one) => one.id === id)
      const before = former.find((one) => one.id === id)
      return {
        ...{ id, action, condition, seconds, phase, reply, isHeard: true },
        ...{ elapsedSeconds: elapsed, leftSeconds: left, busy: waits === '' ? null : waits },
        notBefore: (isCurrent ? guard?.notBefore : before?.notBefore) ?? null,
        toldDueAt: (isTold ? guard?.dueAt : (before?.toldDueAt ?? guard?.dueAt)) ?? null,
      }
    }),
  }
}
