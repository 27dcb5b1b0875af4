import { forwardLabel } from '#domain/forwards/forward-name.ts'
import type { Forward } from '#domain/forwards/forward.ts'
import { isWanted } from '#shared/forwards/forward-names.ts'
import type { PaletteEntry } from './palette-entry.ts'

/** What can be done with each port forward that is on. */
export function forwardEntries(forwards: readonly Forward[]): readonly PaletteEntry[] {
  return forwards.filter(isWanted).flatMap((forward) => {
    const { id, instanceId, plan, browserHost, state } = forward
    const name = `${forwardLabel(forward)} of instance ${instanceId}`
    const detail =
      plan.kind === 'remote'
        ? `port ${plan.entrance.port} on the instance`
        : `${browserHost ?? 'localhost'}:${plan.entrance.port}`
    const entry = { group: 'Instances', detail, after: 4 } as const
    const open: PaletteEntry = {
      ...entry,
      id: `forward:${id}:open`,
      label: `Open ${name} in the browser`,
      icon: 'i-lucide-external-link',
      choice: { kind: 'open-forward', id },
    }
    const stop: PaletteEntry = {
      ...entry,
      id: `forward:${id}:stop`,
      label: `Stop forwarding ${name}`,
      icon: 'i-lucide-square',
      choice: { kind: 'stop-forward', id },
    }
    return plan.kind === 'local' && state.kind !== 'failed' ? [open, stop] : [stop]
  })
}
