import type { Writable } from 'node:stream'
import type { Client } from 'ssh2'
import type { Clock } from '../../../domain/base/clock.ts'
import type { SshReason } from '../../../domain/ssh/ssh-detail.ts'
import { rules } from './channel-rules.ts'
import { insideOf, isHandler, type Handler } from './inside.ts'
import { messageCosts, smallGrantsPerPacket, unaskedMessages, mostUnreadAnswers } from './limits.ts'
import { waitForRoom } from './line-room.ts'

export interface GuardOptions {
  /** What the connection goes over. */
  readonly line: Writable
  readonly clock: Clock
  /** The host broke the protocol, or asks more than Slipway answers; told once. What it sends from now on is dropped. */
  readonly onBreach: (detail: SshReason) => void
}

export interface ProtocolGuard {
  /** Whether the inside of ssh2 was as expected. */
  readonly isWhole: boolean
  /** For rekey-messages.ts: a message that it passes over. */
  readonly countIdle: (payload: Buffer) => void
}

/** What ssh2 sends because the host asked. */
const answers = [
  'requestSuccess',
  'requestFailure',
  'channelSuccess',
  'channelFailure',
  'channelOpenConfirm',
  'channelOpenFail',
] as const

/** SSH_MSG_KEXINIT (RFC 4253 section 12), and the messages of a login (RFC 4250 section 4.1.1). */
const keyExchangeBegins = 20
const loginMessages = { first: 50, last: 79 } as const
const hostKeysName = 'hostkeys-00@openssh.com'
/** SSH_MSG_GLOBAL_REQUEST with that name; whether an answer is wanted follows, and then the keys. */
const keysBegin = Buffer.from(
  `\u0050\0\0\0${String.fromCharCode(hostKeysName.length)}${hostKeysName}`,
  'latin1',
)
/** Ends ssh2's loop over the bytes that have come. */
const noFurther = Number.POSITIVE_INFINITY

/**
 * Watches what a host sends, where ssh2 1.17 believes it: windows (RFC 4254 section 5.2), packet sizes, channels that
 * aren't there, and floods of messages, each of which may cost an answer. What waits for a host is bounded as well. To be
 * called right after `client.connect`.
 */
export function guardProtocol(client: Client, { line, clock, onBreach }: GuardOptions): ProtocolGuard {
  const inside = insideOf(client)
  if (inside === null) return { isWhole: false, countIdle: () => undefined }
  const { protocol, handlers } = inside
  const allowance = new MessageAllowance(clock)
  const unread = new UnreadAnswers(line)
  let isWhole = waitForRoom(client, line)
  let isOver = false
  /** Whether somebody waits for the message that is being taken. */
  let isExpected = false
  /** Small grants that packets were sent for, and that have not come. */
  let grantsOwed = 0

  const breakOff = (detail: SshReason): void => {
    if (isOver) return
    isOver = true
    onBreach(detail)
  }
  const spend = (cost: number): void => {
    if (!allowance.spend(cost)) breakOff({ code: 'too-many-messages' })
  }
  const isOwed = (): boolean => {
    if (grantsOwed === 0) return false
    grantsOwed -= 1
    return true
  }
  const countIdle = (payload: Buffer): void => spend(costOf(payload))

  const replace = (owner: object, name: string, by: (original: Handler) => Handler): void => {
    const original: unknown = Reflect.get(owner, name)
    if (isHandler(original)) Reflect.set(owner, name, by(original.bind(owner)))
    else isWhole = false
  }

  for (const [name, rule] of Object.entries(rules))
    replace(handlers, name, (take) => (by, ...told) => {
      if (isOver) return
      const verdict = rule(inside, ...told)
      isExpected = verdict.kind === 'expected' || (verdict.kind === 'small-grant' && isOwed())
      if (verdict.kind === 'breach') breakOff(verdict.detail)
      else if (verdict.kind !== 'void') take(by, ...(('told' in verdict && verdict.told) || told))
    })

  for (const name of answers)
    replace(protocol, name, (send) => (...said) => {
      if (isOver) return
      send(...said)
      if (name === 'channelOpenFail') spend(messageCosts.usual)
      if (!unread.add()) breakOff({ code: 'answers-unread' })
    })

  replace(protocol, 'channelData', (send) => (...said) => {
    grantsOwed += smallGrantsPerPacket
    return send(...said)
  })

  replace(protocol, '_onPayload', (take) => (payload) => {
    if (isOver) return noFurther
    isExpected = false
    const next = take(Buffer.isBuffer(payload) ? withoutKeys(payload) : payload)
    if (!isExpected && Buffer.isBuffer(payload)) countIdle(payload)
    return next
  })
  return { isWhole, countIdle }
}

/**
 * OpenSSH's server names its other host keys after the login. Nobody here wants them, and ssh2 would read each, and have
 * the host prove it: a quarter of a megabyte both ways for one message.
 */
function withoutKeys(payload: Buffer): Buffer {
  return payload.subarray(0, keysBegin.length).equals(keysBegin)
    ? payload.subarray(0, keysBegin.length + 1)
    : payload
}

function costOf(payload: Buffer): number {
  const [type = 0] = payload
  const { usual, keyExchange, login } = messageCosts
  const isOfLogin = type >= loginMessages.first && type <= loginMessages.last
  const each = type === keyExchangeBegins ? keyExchange : isOfLogin ? login : usual
  return each + payload.length / 1024
}

const { atOnce, perSecond } = unaskedMessages

/** How many messages a host may still send that nobody waits for. It fills up again with time. */
class MessageAllowance {
  readonly #clock: Clock
  #left: number = atOnce
  #countedAtMs: number

  constructor(clock: Clock) {
    this.#clock = clock
    this.#countedAtMs = clock.now()
  }

  /** @returns whether there was as much left */
  spend(cost: number): boolean {
    const nowMs = this.#clock.now()
    // A clock that is set back gives nothing, and takes nothing.
    const passedMs = Math.max(0, nowMs - this.#countedAtMs)
    this.#countedAtMs = nowMs
    this.#left = Math.min(atOnce, this.#left + (passedMs / 1000) * perSecond) - cost
    return this.#left >= 0
  }
}

/**
 * Counts the answers that wait on a line because their host doesn't read. What else waits there doesn't count: an upload
 * over a stalled link may have megabytes under way, as many as the host's windows allow.
 */
class UnreadAnswers {
  readonly #line: Writable
  #count = 0
  #isMarked = false

  constructor(line: Writable) {
    this.#line = line
  }

  /** After an answer was written to the line. @returns whether as many may wait there */
  add(): boolean {
    this.#count += 1
    if (!this.#isMarked) this.#mark()
    return this.#count <= mostUnreadAnswers
  }

  /** Nothing, written behind what waits now: when it is gone, so is all before it. */
  #mark(): void {
    if (!this.#line.writable) return
    const before = this.#count
    this.#isMarked = true
    this.#line.write('', () => {
      this.#isMarked = false
      this.#count -= before
      if (this.#count > 0) this.#mark()
    })
  }
}
