import { parentPort } from 'node:worker_threads'
import ignore, { type Ignore } from 'ignore'
import { gitignoreRequest, type Verdict } from './gitignore-messages.ts'

// A thread of its own: what is in a .gitignore can take its regular expressions hours, and main must not stand still.
const rules = new Map<number, Ignore>()

parentPort?.on('message', (message: unknown) => {
  const { file, text, spared, paths } = gitignoreRequest.parse(message)
  if (text !== null) rules.set(file, ignore().add(spared === null ? text : linesSparing(text, spared)))
  const matcher = rules.get(file)
  const verdicts = paths.map((path): Verdict => {
    const { ignored = false, unignored = false } = matcher?.test(path) ?? {}
    return ignored ? 'ignored' : unignored ? 'unignored' : 'none'
  })
  parentPort?.postMessage(verdicts)
})

function linesSparing(text: string, path: string): readonly string[] {
  return text.split(/\r?\n/).filter((line) => !ignore().add(line).ignores(path))
}
