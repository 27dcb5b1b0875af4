import { countedLines, startOf, type LedgerLine } from '../../domain/spending/ledger-line.ts'

const columns = [
  ...['kind', 'from', 'until', 'instance', 'label', 'model'],
  ...['running_seconds', 'stopped_seconds', 'unpriced_seconds', 'usd', 'not_counted_usd'],
  ...['credit_usd', 'credit_fell_usd', 'credit_rose_usd'],
]
type Row = Readonly<Record<string, string | number | null>>

/** The lines that count, in the order of time, as CSV (RFC 4180). */
export function ledgerCsv(lines: readonly LedgerLine[]): string {
  const sorted = countedLines(lines).toSorted((one, other) => startOf(one) - startOf(other))
  const rows = sorted.map((line) => {
    const row = rowOf(line)
    return columns.map((column) => cell(row[column] ?? null)).join(',')
  })
  return [columns.join(','), ...rows].map((row) => `${row}\r\n`).join('')
}

function rowOf(line: LedgerLine): Row {
  switch (line.kind) {
    case 'hour':
      return {
        ...{ kind: 'hour', from: line.hour, until: null, instance: line.instanceId },
        ...{ label: line.label, model: line.model, usd: line.usd },
        running_seconds: line.runningSeconds,
        stopped_seconds: line.stoppedSeconds,
        unpriced_seconds: line.unpricedSeconds,
      }
    case 'gap':
      return {
        ...{ kind: 'gap', from: line.from, until: line.until, instance: line.instanceId },
        ...{ label: line.label, model: line.model, not_counted_usd: line.usd },
      }
    case 'credit':
      return {
        ...{ kind: 'credit', from: line.hour, credit_usd: line.usd },
        ...{ credit_fell_usd: line.fellUsd, credit_rose_usd: line.roseUsd },
      }
  }
}

function cell(value: string | number | null): string {
  // The hour that goes on isn't rounded yet.
  if (typeof value !== 'string') return value === null ? '' : String(Number(value.toFixed(6)))
  // A spreadsheet takes such a text for a formula, and a label may be anybody's.
  const text = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
