import type { Diagnostics } from '#domain/diagnostics/diagnostics.ts'
import { runtimeText } from '#domain/diagnostics/runtime-text.ts'
import { versionText } from '#domain/updates/update.ts'
import { formatExact, formatNumber } from '#ui/format.ts'
import { keychainText } from '#ui/problems/keychain-text.ts'
import { problemText } from '#ui/problems/problem-text.ts'

interface Fact {
  readonly key: string
  readonly name: string
  readonly value: string
}

/** The program and what it runs on. */
export function programFacts({ program }: Diagnostics): readonly Fact[] {
  return [
    { key: 'version', name: 'Slipway', value: versionText(program) },
    { key: 'runtime', name: 'Runtime', value: runtimeText(program) },
    { key: 'platform', name: 'System', value: program.platform },
    ...(program.isSandboxOff ? [{ key: 'sandbox', name: 'Sandbox', value: 'Off' }] : []),
  ]
}

/** The state of what Slipway needs. */
export function stateFacts(report: Diagnostics): readonly Fact[] {
  const { keychain, service, connections } = report
  const title = keychainText(keychain).title
  const states = Object.entries(connections).map(([state, count]) => `${formatNumber(count)} ${state}`)
  return [
    {
      key: 'keychain',
      name: 'Keychain',
      value: 'detail' in keychain ? `${title}: ${keychain.detail}` : title,
    },
    { key: 'service', name: 'Service', value: serviceText(service) },
    { key: 'clock', name: 'Clock', value: clockText(report.clock) },
    {
      key: 'connections',
      name: 'Connections',
      value: states.length === 0 ? 'None open' : states.join(', '),
    },
  ]
}

function serviceText(service: Diagnostics['service']): string {
  if (service === null) return 'No account connected'
  const last = `last reply ${service.lastAnswerAt === null ? 'never' : formatExact(service.lastAnswerAt)}`
  return service.problem === null
    ? `Reachable, ${last}`
    : `${problemText(service.problem, 'load').title}, ${last}`
}

function clockText(clock: Diagnostics['clock']): string {
  if (clock.kind === 'unchecked') return 'Not compared with the service’s clock yet'
  const seconds = (ms: number): string => `${formatNumber(Math.abs(ms) / 1000, 1)} s`
  const side = clock.offsetMs >= 0 ? 'behind' : 'ahead of'
  return `${seconds(clock.offsetMs)} ${side} the service’s, ±${seconds(clock.errorMs)}`
}
