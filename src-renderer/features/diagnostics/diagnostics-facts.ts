import type { Diagnostics } from '#domain/diagnostics/diagnostics.ts'
import { versionText } from '#domain/updates/update.ts'
import { formatExact, formatNumber } from '#ui/format.ts'
import { keychainText } from '#ui/problems/keychain-text.ts'
import { problemText } from '#ui/problems/problem-text.ts'

interface Fact {
  readonly key: string
  readonly name: string
  readonly value: string
}

/** What runs, for the page that says so. */
export function programFacts({ program }: Diagnostics): readonly Fact[] {
  return [
    { key: 'version', name: 'Slipway', value: versionText(program) },
    { key: 'electron', name: 'Electron', value: program.electron },
    { key: 'chrome', name: 'Chrome', value: program.chrome },
    { key: 'node', name: 'Node', value: program.node },
    { key: 'platform', name: 'System', value: program.platform },
    ...(program.isSandboxOff ? [{ key: 'sandbox', name: 'Sandbox', value: 'Off' }] : []),
  ]
}

/** How what is outside of Slipway stands. */
export function stateFacts(report: Diagnostics): readonly Fact[] {
  const { keychain, service, connections } = report
  const title = keychainText(keychain).title
  const states = Object.entries(connections).map(([state, count]) => `${count} ${state}`)
  return [
    {
      key: 'keychain',
      name: 'Keychain',
      value: 'detail' in keychain ? `${title}: ${keychain.detail}` : title,
    },
    { key: 'service', name: 'Service', value: serviceText(service) },
    { key: 'clock', name: 'This clock', value: clockText(report.clock) },
    {
      key: 'connections',
      name: 'Connections',
      value: states.length === 0 ? 'None is open' : states.join(', '),
    },
  ]
}

function serviceText(service: Diagnostics['service']): string {
  if (service === null) return 'No account is connected'
  const last = `last answer ${service.lastAnswerAt === null ? 'never' : formatExact(service.lastAnswerAt)}`
  return service.problem === null
    ? `Answering, ${last}`
    : `${problemText(service.problem, 'load').title}, ${last}`
}

function clockText(clock: Diagnostics['clock']): string {
  if (clock.kind === 'unchecked') return 'Not compared with the service’s in this run'
  const seconds = (ms: number): string => `${formatNumber(Math.abs(ms) / 1000, 1)} s`
  const side = clock.offsetMs >= 0 ? 'behind' : 'ahead'
  return `${seconds(clock.offsetMs)} ${side}, give or take ${seconds(clock.errorMs)}`
}
