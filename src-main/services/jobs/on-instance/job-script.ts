import { quoteShellWord } from '../../../domain/base/shell-words.ts'
import type { ScriptExecution } from '../../ssh/scripts/ask-script.ts'
import { joinScripts } from '../../ssh/scripts/join-scripts.ts'
import { chooseFolder, scriptEnd } from '../../ssh/scripts/own-folder.ts'

/** What `resources/machine/job.sh` may be asked. `mark`: a line that it begins with, which nothing else says. */
export type JobQuestion =
  | {
      readonly kind: 'start'
      readonly jobId: string
      readonly folder: string
      /** It travels on the input, where nobody lists it. */
      readonly command: string
    }
  | { readonly kind: 'look' | 'cancel' | 'forget'; readonly jobId: string }
  | { readonly kind: 'follow'; readonly jobId: string; readonly from: number; readonly mark: string }
  /** The sha256 of files by their paths in the folder. */
  | {
      readonly kind: 'sums'
      readonly folder: string
      readonly paths: readonly string[]
      readonly mark: string
    }

/** @param folder that of the scripts: `resources/machine` */
export function jobScriptText(folder: string): Promise<string> {
  return joinScripts(folder, ['common.sh', 'job.sh'])
}

/** The command gets the umask of the login. Folders are told from the home on. */
const before = `
mask=$(umask)
cd 2>/dev/null
id=$2
`

/** Where the job lies already; else where guards have their script, as they ask whether a job runs. */
const folder = chooseFolder({
  own: { name: 'holds', lines: 'holds() { [ -d "$1/jobs/$id" ]; }' },
  refusal: { kind: 'refused', why: 'read-only' },
})

/** Half a script, of a link that broke, isn't run. Nothing is written for it: the disk may be full. */
const run = `
script=
until [ "$line" = "${scriptEnd}" ]; do
  IFS= read -r line || exit
  [ "$line" = "${scriptEnd}" ] || script="$script$line
"
done
eval "$script"`

/** A line for the user's login shell, and what the script and what it asks for are read from. */
export function executionOf(
  question: JobQuestion,
  script: string,
): Required<Pick<ScriptExecution, 'command'>> & { readonly input: string } {
  const { kind } = question
  const steps = `${before}${kind === 'sums' ? '' : folder}line=${run}`
  const words = [kind, ...argumentsOf(question)].map(quoteShellWord).join(' ')
  return {
    command: `exec sh -c '${steps}' sh ${words}`,
    input: `${script}\n${scriptEnd}\n${inputOf(question)}`,
  }
}

function argumentsOf(question: JobQuestion): readonly string[] {
  if (question.kind === 'sums') return [question.folder, question.mark]
  const { jobId } = question
  // It's the name of a folder there.
  if (!/^[\w-]{1,64}$/.test(jobId)) throw new RangeError('not the id of a job')
  switch (question.kind) {
    case 'start':
      return [jobId, question.folder]
    case 'follow':
      return [jobId, `${question.from}`, question.mark]
    default:
      return [jobId]
  }
}

function inputOf(question: JobQuestion): string {
  switch (question.kind) {
    case 'start':
      return `${Buffer.byteLength(question.command)}\n${question.command}`
    case 'sums':
      return question.paths.map((path) => `${path}\0`).join('')
    default:
      return ''
  }
}
