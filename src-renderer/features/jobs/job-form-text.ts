import { assertNever } from '#domain/base/assert-never.ts'
import { definitionName, type JobDefinition, type JobEnd } from '#domain/jobs/job-definition.ts'
import type { JobPlace } from '#domain/jobs/job.ts'
import { formatUsdPerHour } from '#ui/format.ts'
import type { Statement } from '#ui/tone.ts'

/** The sentences of the form for a job; short labels stand in its components. */
export const jobFormText = {
  noFolder: 'Choose the project’s folder.',
  folderHelp:
    'Its files go to the instance, and the command runs in it. Outputs come back into its folder slipway-outputs.',
  noName: 'Enter a name.',
  longName: 'Enter at most 100 characters.',
  noCommand: 'Enter a command.',
  longCommand: 'The command is too long. Put it into a script in the folder, and run the script.',
  commandHelp: 'Runs in sh, in the project’s folder on the instance. May have several lines.',
  excludeHelp: 'A pattern per line, as in .gitignore, such as data/ or *.zip.',
  pattern: 'can’t start with “!” or have more than 300 characters.',
  manySkipped: 'Enter at most 200 lines.',
  fetchHelp:
    'A file, folder, or pattern per line, from the project’s folder on, such as out/ or **/*.pt. Leave empty if the log is all you need.',
  outputPattern:
    'can’t start with “/” or “!”, have more than 300 characters, or lead out of the folder with “..”.',
  manyOutputs: 'Enter at most 100 lines.',
  noInstance: 'Choose a running instance, or rent one for this job.',
  noneRunning: 'No instance is running. Rent one for this job, or start with an offer.',
  noSearch: 'Choose a saved search.',
  noSearches: 'Save a search on Offers first. What you entered in this form stays until you quit Slipway.',
  searchHelp: 'Slipway rents the cheapest offer of this search that’s within your limits.',
  limits:
    'If the instance doesn’t start, Slipway destroys it and rents the next offer. You never have two for this job at once.',
  plan: 'Fix the marked limits.',
  stopAfter: 'Enter a whole number from 1 to 10,080.',
  waits: 'Off: if Slipway is closed when the command ends, the instance waits for it, and you’re charged.',
  destroy:
    'Destroyed only after the outputs are on this computer and compared. Everything else on its disk is deleted, and all charges end.',
  rentStarts: 'You’re charged from the moment the instance is rented, including startup and uploads.',
  isRepeat:
    'Image, template, and disk aren’t filled in: Slipway keeps a rental’s request to itself, because it may hold secrets. Choose them again.',
} as const

/** On the button that starts a job. */
export const startLabels: Readonly<Record<JobPlace['kind'], string>> = {
  instance: 'Start job',
  rent: 'Rent and start job',
}

/** What a definition or a job replaces. @param name its own */
export function replaceText(name: string): string {
  return `“${name}” fills in the whole form. What you entered is lost.`
}

/** What is wrong with one of several lines. */
export function wrongLineText(line: string, wrong: string): string {
  const shown = line.length > 40 ? `${line.slice(0, 39)}…` : line
  return `“${shown}”: ${wrong}`
}

/** What of an instance is charged, in $/h: `null` for unknown. */
export interface JobRates {
  readonly runUsd: number | null
  readonly diskUsd: number | null
  /** An instance is yet to be rented, at most at `runUsd`. */
  readonly isLimit: boolean
}

/** What each end means for money. */
export function endText(then: JobEnd, { runUsd, diskUsd, isLimit }: JobRates): string {
  switch (then) {
    case 'keep':
      return runUsd === null
        ? 'You’re charged until you stop or destroy the instance (price unknown).'
        : `You’re charged ${isLimit ? 'up to ' : ''}${formatUsdPerHour(runUsd)} until you stop or destroy the instance.`
    case 'stop': {
      const disk =
        diskUsd === null
          ? 'You’re still charged for its disk (price unknown)'
          : `You’re still charged ${formatUsdPerHour(diskUsd)} for its disk`
      return `${disk} until you destroy the instance. Slipway can’t start it again.`
    }
    case 'destroy':
      return jobFormText.destroy
    default:
      return assertNever(then)
  }
}

/** What the rule on the instance does. @param minutes as typed */
export function stopsItselfText(minutes: string): string {
  return `If Slipway isn’t there to end the job, the instance stops itself ${minutes.trim() || '…'} min after the command ends. It never destroys itself, so outputs stay on its disk, and you’re charged for the disk.`
}

/** What was found when a folder or a file was chosen. */
export type DefinitionFound =
  | {
      readonly kind: 'read'
      readonly unknown: readonly string[]
      readonly definition: Pick<JobDefinition, 'then'>
    }
  | { readonly kind: 'none' }
  | {
      readonly kind: 'faulty'
      readonly fault: 'unreadable' | 'too-long' | 'not-json' | 'newer' | 'unfit'
      readonly path: string
    }

/** What a definition file filled in, or why it couldn't. */
export function definitionText(found: DefinitionFound): Statement {
  switch (found.kind) {
    case 'read':
      return {
        tone: found.definition.then === 'keep' ? 'good' : 'warning',
        title: `Filled in from ${definitionName}`,
        text: `${askedEnds[found.definition.then]}${unknownText(found.unknown)}Check the command before you start the job. Changes in this form don’t change the file.`,
      }
    case 'none':
      return {
        tone: 'neutral',
        title: `No ${definitionName} in this folder`,
        text: 'To share this job with your team, save its definition.',
      }
    case 'faulty':
      return {
        tone: 'warning',
        title: `Couldn’t use ${definitionName}`,
        text: `${faults[found.fault]}${fieldText(found.path)} What you entered is unchanged.`,
      }
    default:
      return assertNever(found)
  }
}

/** Which field doesn't fit, and what may be in it where that isn't plain. */
function fieldText(path: string): string {
  if (path === '') return ''
  const rule = Object.entries(lineRules).find(([field]) => path.startsWith(field))?.[1]
  return ` Field: ${path}.${rule === undefined ? '' : ` A pattern ${rule}`}`
}

const lineRules = { 'send.exclude.': jobFormText.pattern, 'fetch.': jobFormText.outputPattern } as const

/** What a file asks for at the end is seen, and not only chosen further down. */
const askedEnds: Readonly<Record<JobEnd, string>> = {
  keep: '',
  stop: 'The file asks Slipway to stop the instance at the end. ',
  destroy: 'The file asks Slipway to destroy the instance at the end. ',
}

function unknownText(unknown: readonly string[]): string {
  return unknown.length === 0 ? '' : `Unknown fields are left out: ${unknown.join(', ')}. `
}

const faults: Readonly<Record<Extract<DefinitionFound, { kind: 'faulty' }>['fault'], string>> = {
  unreadable: 'The file can’t be read. Check its permissions.',
  'too-long': 'The file is far too long for a definition.',
  'not-json': 'The file isn’t valid JSON.',
  newer: 'A newer Slipway wrote the file. Update Slipway.',
  unfit: 'A value in the file doesn’t fit.',
}
