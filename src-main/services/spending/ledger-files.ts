import { readdir } from 'node:fs/promises'
import {
  ledgerLine,
  ledgerMonth,
  monthOf,
  startOf,
  type LedgerLine,
} from '../../domain/spending/ledger-line.ts'
import { ifThere, orStorageFailed } from '../storage/disk.ts'
import type { JsonFilePlace } from '../storage/json-file.ts'
import { openJournal, type Journal } from '../storage/journal.ts'

/** The ledger on the disk: a journal for each month, for good. */
export interface LedgerFiles {
  /** On the disk when it resolves. @throws ProblemError storage-failed, newer-file */
  readonly append: (lines: readonly LedgerLine[]) => Promise<void>
  /** All lines of a month, in the order in which they were added. @throws ProblemError storage-failed */
  readonly read: (month: string) => Promise<readonly LedgerLine[]>
  /** Months with a file, the earliest first. @throws ProblemError storage-failed */
  readonly months: () => Promise<readonly string[]>
}

/** @param fileOf where a file of this name lies in the ledger's folder */
export function openLedgerFiles(folder: string, fileOf: (name: string) => JsonFilePlace): LedgerFiles {
  const journals = new Map<string, Journal<LedgerLine>>()
  const journalOf = (month: string): Journal<LedgerLine> => {
    const known = journals.get(month)
    if (known) return known
    const opened = openJournal({ ...fileOf(`${month}.jsonl`), schema: ledgerLine })
    journals.set(month, opened)
    return opened
  }
  return {
    append: async (lines) => {
      for (const [month, own] of Map.groupBy(lines, (line) => monthOf(startOf(line))))
        await journalOf(month).append(...own)
    },
    read: (month) => journalOf(month).readAll(),
    months: async () => {
      const names = await orStorageFailed(folder, async () => (await ifThere(readdir(folder))) ?? [])
      return names
        .flatMap((name) => ledgerMonth.safeParse(name.replace(/\.jsonl$/, '')).data ?? [])
        .toSorted()
    },
  }
}
