import { hourMs, hourOf, monthOf, utcTimeOf, type LedgerLine } from '#domain/spending/ledger-line.ts'

/** Twenty days before the end of last month until then: two instances, one of them stopped in between, and a gap. */
export function lastMonth(): { readonly month: string; readonly lines: readonly LedgerLine[] } {
  const now = new Date()
  const end = Date.UTC(now.getUTCFullYear(), now.getUTCMonth())
  const hours = Array.from({ length: 20 * 24 }, (_, index) => end - (index + 1) * hourMs)
  const train = { instanceId: 11, label: 'train', model: '2 × RTX 4090' }
  const serve = { instanceId: 12, label: null, model: 'H100' }
  const gapStart = end - 6 * 24 * hourMs
  const lines = hours
    .filter((at) => at < gapStart || at >= gapStart + 30 * hourMs)
    .flatMap((at, index): LedgerLine[] => {
      const isRunning = index % 7 < 5
      const line = { kind: 'hour', hour: hourOf(at), since: utcTimeOf(at), unpricedSeconds: 0 } as const
      const share = isRunning ? 1 : 0.1
      return [
        {
          ...{ ...line, ...train, usd: 0.7 * share },
          ...{ runningSeconds: isRunning ? 3600 : 0, stoppedSeconds: isRunning ? 0 : 3600 },
        },
        ...(index < 200
          ? [{ ...line, ...serve, runningSeconds: 3600, stoppedSeconds: 0, usd: 0.02 * (index % 90) }]
          : []),
      ]
    })
  const gap: LedgerLine = {
    ...{ kind: 'gap', from: utcTimeOf(gapStart), until: utcTimeOf(gapStart + 30 * hourMs) },
    ...train,
    usd: 21,
  }
  const credits = Array.from({ length: 20 }, (_, index): LedgerLine => {
    const at = end - hourMs - index * 24 * hourMs
    return {
      ...{ kind: 'credit', hour: hourOf(at), since: utcTimeOf(at), usd: 12.5 },
      ...{ fellUsd: index < 9 ? 35 + index : 12.75, roseUsd: index === 3 ? 500 : 0 },
    }
  })
  return { month: monthOf(end - 1), lines: [...lines, gap, ...credits] }
}
