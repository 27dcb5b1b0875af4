import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Lifetime } from '../../domain/base/lifetime.ts'
import { InstanceFigures, type InstanceFiguresOptions } from './instance-figures.ts'

export interface FiguresDependencies extends Omit<InstanceFiguresOptions, 'script'> {
  /** The folder of the scripts that run on instances. */
  readonly machineScripts: string
}

/** What the account's instances do. */
export function openFigures(from: FiguresDependencies, lifetime: Lifetime): InstanceFigures {
  const script = (): Promise<string> => readFile(join(from.machineScripts, 'figures.sh'), 'utf8')
  const figures = new InstanceFigures({ ...from, script })
  lifetime.onEnd(() => figures.dispose())
  return figures
}
