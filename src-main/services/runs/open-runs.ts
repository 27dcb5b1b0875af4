import { snippetsFile } from '../../domain/runs/run.ts'
import type { Lifetime } from '../../domain/base/lifetime.ts'
import type { Folder } from '../storage/folder.ts'
import { openJsonFile } from '../storage/json-file.ts'
import { Runs, type RunsOptions } from './runs.ts'
import { Snippets } from './snippets.ts'

export interface RunsDependencies extends RunsOptions {
  readonly folder: Pick<Folder, 'file'>
}

export interface RunsService {
  readonly runs: Runs
  readonly snippets: Snippets
}

/**
 * Commands on several of the account's instances, and those that are kept.
 *
 * @throws ProblemError storage-failed, as `openJsonFile` does
 */
export async function openRuns(from: RunsDependencies, lifetime: Lifetime): Promise<RunsService> {
  const file = await openJsonFile({
    ...from.folder.file('snippets.json'),
    schema: snippetsFile,
    fallback: [],
  })
  const runs = new Runs(from)
  lifetime.onEnd(() => runs.dispose())
  return { runs, snippets: new Snippets(file, from.randomId) }
}
