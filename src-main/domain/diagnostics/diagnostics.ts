import { z } from 'zod'
import { keychainState } from '../vault/keychain-state.ts'
import { failedReset, pendingReset } from './reset.ts'
import { problem } from '../base/problem.ts'
import { runtimeText } from './runtime-text.ts'
import { versionText } from '../updates/update.ts'
import { clockState } from '../vault/vault-view.ts'

const program = z.object({
  version: z.string(),
  /** Started from the sources: it has data and secrets of its own. */
  isDevelopment: z.boolean(),
  /** `null` where main runs without it, as in the tests on Chromium. */
  electron: z.string().nullable(),
  chrome: z.string().nullable(),
  node: z.string(),
  platform: z.string(),
  /** An installed Slipway was started without Chromium's sandbox. */
  isSandboxOff: z.boolean(),
})
export type ProgramFacts = z.infer<typeof program>

/** What somebody who helps has to know. Times are milliseconds since the epoch. */
const diagnosticFacts = z.object({
  at: z.number(),
  program,
  folders: z.object({ data: z.string(), log: z.string() }),
  keychain: keychainState,
  clock: clockState,
  /** The account of the page; `null` for none. */
  service: z
    .object({ address: z.string(), lastAnswerAt: z.number().nullable(), problem: problem.nullable() })
    .nullable(),
  /** How many connections to machines stand in each way. */
  connections: z.record(z.string(), z.number().int()),
})
export type DiagnosticFacts = z.infer<typeof diagnosticFacts>

export const diagnostics = diagnosticFacts.extend({
  /** The last lines of the log, without secrets; oldest first. */
  logLines: z.array(z.string()).readonly(),
  /** All of it as text that may be given to strangers. */
  text: z.string(),
  pendingReset: pendingReset.nullable(),
  /** Parts of the last reset that could not be done. */
  failedReset: z.array(failedReset).readonly(),
})
export type Diagnostics = z.infer<typeof diagnostics>

/** The facts and the log as lines. Not yet without names and addresses: see `anonymize`. */
export function diagnosticsText(facts: DiagnosticFacts, logLines: readonly string[]): string {
  const { program: it, service } = facts
  const iso = (at: number | null): string => (at === null ? 'never' : new Date(at).toISOString())
  const connections = Object.entries(facts.connections).map(([state, count]) => `${count} ${state}`)
  return [
    `Slipway ${versionText(it)}, ${runtimeText(it)}, ${it.platform}${it.isSandboxOff ? ', sandbox off' : ''}`,
    `Taken: ${iso(facts.at)}`,
    `Data: ${facts.folders.data}`,
    `Log: ${facts.folders.log}`,
    `Keychain: ${facts.keychain.kind === 'available' ? 'available' : `${facts.keychain.kind} (${facts.keychain.detail})`}`,
    `Clock: ${clockText(facts.clock)}`,
    ...(service === null
      ? ['Service: no account']
      : [
          `Service: ${service.address}, last answer ${iso(service.lastAnswerAt)}, ${
            service.problem === null ? 'no problem' : JSON.stringify(service.problem)
          }`,
        ]),
    `Connections: ${connections.length === 0 ? 'none' : connections.join(', ')}`,
    '',
    ...logLines,
    '',
  ].join('\n')
}

function clockText(clock: DiagnosticFacts['clock']): string {
  if (clock.kind === 'unchecked') return 'not compared since Slipway started'
  const seconds = (ms: number): string => (ms / 1000).toFixed(1)
  return `off by ${seconds(clock.offsetMs)} s, give or take ${seconds(clock.errorMs)} s`
}
