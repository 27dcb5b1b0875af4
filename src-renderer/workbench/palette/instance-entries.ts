import { fieldOf, knownText } from '#domain/fields/field-format.ts'
import { labelOf } from '#domain/instances/instance-label.ts'
import type { ListedInstance } from '#domain/instances/listed-instance.ts'
import { chargeOf } from '#domain/money/money.ts'
import { formatSshAddress, sshAddressesOf } from '#domain/ssh/ssh-address.ts'
import { sshAlias } from '#domain/ssh/ssh-config.ts'
import { formatUsdPerHour } from '#ui/format.ts'
import type { DisabledReasons } from '../../features/instances/disabled-reasons.ts'
import { actionsOf } from '../../features/instances/instance-line.ts'
import { instanceStatusText, modelText } from '../../features/instances/instance-text.ts'
import type { PaletteEntry } from './palette-entry.ts'

/**
 * Each instance, with what can be done with it and where it answers SSH.
 */
export function instanceEntries(
  instances: readonly ListedInstance[],
  reasons: DisabledReasons,
): readonly PaletteEntry[] {
  return instances.flatMap((instance) => entriesOf(instance, reasons))
}

function entriesOf(instance: ListedInstance, reasons: DisabledReasons): readonly PaletteEntry[] {
  const { id, record } = instance
  const label = labelOf(instance)
  const name = label === null ? `instance ${id}` : `${label} (${id})`
  const model = modelText(instance) ?? ''
  const words = wordsOf(instance)
  const page = `/instances/${id}`
  const one = (
    what: string,
    entry: Pick<PaletteEntry, 'label' | 'icon' | 'blocked' | 'after'> & { readonly to: string },
  ): PaletteEntry => {
    const { to, ...rest } = entry
    return {
      id: `instance:${id}:${what}`,
      group: 'Instances',
      detail: model,
      words,
      choice: { kind: 'go', to },
      ...rest,
    }
  }
  const { terminal, stop, destroy } = actionsOf(instance, reasons)
  const { preferred } = sshAddressesOf(record)
  return [
    {
      ...one('page', {
        label: label === null ? `Instance ${id}` : name,
        icon: 'i-lucide-server',
        to: page,
      }),
      detail: [model, instanceStatusText(instance).label].filter(Boolean).join(' · '),
      more: () => formatUsdPerHour(chargeOf(instance).perHourUsd),
    },
    one('terminal', {
      label: `Open terminal on ${name}`,
      icon: 'i-lucide-square-terminal',
      to: `/terminals?open=${id}`,
      blocked: terminal,
      after: 1,
    }),
    one('files', {
      label: `Files of ${name}`,
      icon: 'i-lucide-folder',
      to: `${page}/files`,
      blocked: terminal,
      after: 2,
    }),
    one('forwards', {
      label: `Port forwards of ${name}`,
      icon: 'i-lucide-arrow-left-right',
      to: `${page}#forwards`,
      after: 3,
    }),
    one('guard', {
      label: `Auto-stop rules of ${name}`,
      icon: 'i-lucide-alarm-clock',
      to: `${page}#guards`,
      after: 4,
    }),
    one('stop', {
      label: `Stop ${name}`,
      icon: 'i-lucide-square',
      to: `${page}?do=stop`,
      blocked: stop,
      after: 5,
    }),
    one('destroy', {
      label: `Destroy ${name}`,
      icon: 'i-lucide-trash-2',
      to: `${page}?do=destroy`,
      blocked: destroy,
      after: 6,
    }),
    ...(preferred === null
      ? []
      : [
          {
            id: `host:${id}`,
            group: 'SSH hosts' as const,
            label: formatSshAddress(preferred),
            detail: `${sshAlias(id)} · ${name}`,
            icon: 'i-lucide-network',
            choice: { kind: 'go' as const, to: page },
            after: 7,
          },
        ]),
  ]
}

/** What else an instance is looked for by. */
function wordsOf({ id, record }: ListedInstance): string {
  const { direct, proxy } = sshAddressesOf(record)
  const texts = ['gpu_name', 'public_ipaddr', 'image_uuid', 'geolocation'].map((name) =>
    knownText(fieldOf(record, name)),
  )
  return [id, ...texts, direct?.host, proxy?.host]
    .filter((text) => text !== null && text !== undefined)
    .join(' ')
}
