import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Lifetime } from '../../domain/base/lifetime.ts'
import { AllFigures, type AllFiguresOptions } from './all-figures.ts'
import { InstanceFigures, type InstanceFiguresOptions } from './instance-figures.ts'

export interface FiguresDependencies
  extends
    Omit<InstanceFiguresOptions, 'script' | 'connections'>,
    Pick<AllFiguresOptions, 'watch' | 'preferences' | 'notify'> {
  readonly connections: InstanceFiguresOptions['connections'] & AllFiguresOptions['connections']
  /** The folder of the scripts that run on instances. */
  readonly machineScripts: string
}

export interface FiguresService {
  readonly each: InstanceFigures
  readonly all: AllFigures
}

/** What the account's instances do. */
export function openFigures(from: FiguresDependencies, lifetime: Lifetime): FiguresService {
  const script = (): Promise<string> => readFile(join(from.machineScripts, 'figures.sh'), 'utf8')
  const each = new InstanceFigures({ ...from, script })
  lifetime.onEnd(() => each.dispose())
  const all = new AllFigures({ ...from, figures: each })
  lifetime.follow((signal) => all.follow(signal))
  return { each, all }
}
