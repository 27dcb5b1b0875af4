import type { SshReason } from '../../../domain/ssh/ssh-detail.ts'
import { at, isObject, lengthOf, type Inside } from './inside.ts'
import {
  leastGrantBytes,
  leastPacketBytes,
  mostPacketBytes,
  mostWindowBytes,
  windowOverrunBytes,
} from './limits.ts'

/** What a message of the host's is. */
export type Verdict =
  /** It answers something, or carries data that was granted. `told` is what ssh2 hears of it. */
  | { readonly kind: 'expected'; readonly told?: readonly unknown[] }
  /** It lets a channel send a little more. Hosts give so back what they were sent, a packet at a time. */
  | { readonly kind: 'small-grant' }
  /** Nobody waits for it; ssh2 hears of it. */
  | { readonly kind: 'unasked'; readonly told?: readonly unknown[] }
  /** It's about nothing that there is; ssh2 doesn't hear of it. */
  | { readonly kind: 'void' }
  | { readonly kind: 'breach'; readonly detail: SshReason }

export type Rule = (inside: Inside, ...told: readonly unknown[]) => Verdict

const expected: Verdict = { kind: 'expected' }
const unasked: Verdict = { kind: 'unasked' }
const nothing: Verdict = { kind: 'void' }

/** What the other side may still send, where ssh2's own count is kept full: by what ssh2 counts with. */
const leftBySelf = new WeakMap<object, () => number>()

/** For channel-window.ts: from now on this count holds for the channel. */
export function countWindowBy(incoming: object, left: () => number): void {
  leftBySelf.set(incoming, left)
}

/**
 * ssh2 1.17 only looks whether a window is exactly at zero, which one odd packet jumps over: what comes after that is held
 * in memory without a limit, for as long as nobody reads it. Data after the channel's end becomes an error of its stream.
 */
const takeData: Rule = ({ channel }, id, data, type = 1) => {
  const there = channel(id)
  if (!isObject(there) || !Buffer.isBuffer(data) || data.length === 0 || type !== 1) return nothing
  const incoming = at(there, 'incoming')
  // An ssh2 with other channels inside counts by itself.
  if (!isObject(incoming) || !('state' in incoming)) return expected
  if (incoming.state !== 'open') return nothing
  const left: unknown = leftBySelf.get(incoming)?.() ?? at(incoming, 'window')
  const isWithin = typeof left !== 'number' || data.length <= left + windowOverrunBytes
  return isWithin ? expected : breach({ code: 'too-much-data' })
}

/** ssh2 1.17 sends in pieces of whatever size it's told, however small. */
const openChannel: Rule = (_inside, info) => {
  const packetBytes = at(info, 'packetSize')
  if (!isObject(info) || typeof packetBytes !== 'number') return breach({ code: 'odd-channel' })
  if (packetBytes < leastPacketBytes) return breach({ code: 'small-packets', bytes: packetBytes })
  return { kind: 'expected', told: [{ ...info, packetSize: Math.min(packetBytes, mostPacketBytes) }] }
}

const requestAnswered: Rule = ({ waiting }) => (waiting() > 0 ? expected : nothing)
const channelRequestAnswered: Rule = ({ channel }, id) =>
  lengthOf(at(channel(id), '_callbacks')) > 0 ? expected : nothing
const whileOpening =
  (rule: Rule): Rule =>
  (inside, ...told) => {
    const [first] = told
    const id = at(first, 'recipient') ?? first
    return typeof inside.channel(id) === 'function' ? rule(inside, ...told) : nothing
  }

/** By message; a message without a rule is `unasked`. */
export const rules: Readonly<Record<string, Rule>> = {
  CHANNEL_DATA: (inside, id, data) => takeData(inside, id, data),
  CHANNEL_EXTENDED_DATA: takeData,
  CHANNEL_OPEN: openChannel,
  CHANNEL_OPEN_CONFIRMATION: whileOpening(openChannel),
  CHANNEL_OPEN_FAILURE: whileOpening(() => expected),
  CHANNEL_WINDOW_ADJUST: ({ channel }, id, bytes) => {
    const window = at(channel(id), 'outgoing', 'window')
    if (typeof window !== 'number' || typeof bytes !== 'number') return nothing
    if (window + bytes > mostWindowBytes) return breach({ code: 'too-much-allowed' })
    return bytes < leastGrantBytes ? { kind: 'small-grant' } : expected
  },
  CHANNEL_EOF: ({ channel }, id) => (at(channel(id), 'incoming', 'state') === 'open' ? expected : nothing),
  CHANNEL_CLOSE: ({ channel }, id) => (channel(id) === undefined ? nothing : expected),
  CHANNEL_REQUEST: ({ channel }, id, type) => {
    const exit = at(channel(id), '_exit')
    if (!isObject(exit)) return nothing
    const isExit = type === 'exit-status' || type === 'exit-signal'
    return isExit && at(exit, 'code') === undefined ? expected : unasked
  },
  CHANNEL_SUCCESS: channelRequestAnswered,
  CHANNEL_FAILURE: channelRequestAnswered,
  REQUEST_SUCCESS: requestAnswered,
  REQUEST_FAILURE: requestAnswered,
  // ssh2 would ask the host to prove its keys, also where it names none.
  GLOBAL_REQUEST: (_inside, name, ...rest) =>
    name === 'hostkeys-00@openssh.com' ? { kind: 'unasked', told: ['', ...rest] } : unasked,
}

function breach(detail: SshReason): Verdict {
  return { kind: 'breach', detail }
}
