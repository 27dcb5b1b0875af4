import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { App } from 'electron'

/** As Chromium reads them: `--name` or `-name=value`, up to `--`; of two of a name the last one counts. */
const switches = new Map<string, string>()
for (const arg of process.argv.slice(2)) {
  if (arg === '--') break
  const [, name, value = ''] = /^--?([^=-][^=]*)(?:=(.*))?$/s.exec(arg) ?? []
  if (name !== undefined) switches.set(name, value)
}

export const commandLine = {
  hasSwitch: (name) => switches.has(name),
  getSwitchValue: (name) => switches.get(name) ?? '',
  removeSwitch: (name) => void switches.delete(name),
} satisfies Partial<App['commandLine']>

/**
 * Writes to `switches.txt` in the data folder what main has left when Electron acts on it, one a line: main's own code
 * has run then, and nothing is ready yet.
 */
export function recordSwitches(userData: string): void {
  mkdirSync(userData, { recursive: true })
  const lines = [...switches].map(([name, value]) => `${name}=${value}\n`)
  writeFileSync(join(userData, 'switches.txt'), lines.join(''))
}
