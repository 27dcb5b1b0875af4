import type { ConnectionState } from '#domain/ssh/ssh-connection.ts'

export interface ConnectionHealthText {
  readonly label: string
  readonly meaning: string
  readonly isTrouble: boolean
}

/** How the connection to an instance does, in few words; `null` without one, and until it was measured. */
export function connectionHealthText(state: ConnectionState, now: number): ConnectionHealthText | null {
  if (state.kind === 'waiting') {
    const seconds = Math.max(0, Math.ceil((state.retryAt - now) / 1000))
    return {
      label: `in ${seconds} s (${ordinal(state.nextTry)} try)`,
      meaning: 'The connection was lost. Slipway reconnects automatically, with longer pauses each time.',
      isTrouble: true,
    }
  }
  if (state.kind !== 'open') return null
  const { silentSince, latencyMs } = state
  if (silentSince !== null) {
    const seconds = Math.max(0, Math.round((now - silentSince) / 1000))
    return {
      label: `No response for ${seconds} s`,
      meaning: 'No response. If this continues, Slipway reconnects.',
      isTrouble: true,
    }
  }
  if (latencyMs === null) return null
  return {
    label: latencyMs < 1 ? 'under 1 ms' : `${Math.round(latencyMs)} ms`,
    meaning: 'Latency: the round trip to the instance, measured every 10 seconds',
    isTrouble: false,
  }
}

const endings: Readonly<Partial<Record<Intl.LDMLPluralRule, string>>> = { one: 'st', two: 'nd', few: 'rd' }
const rules = new Intl.PluralRules('en', { type: 'ordinal' })

function ordinal(number: number): string {
  return `${number}${endings[rules.select(number)] ?? 'th'}`
}
