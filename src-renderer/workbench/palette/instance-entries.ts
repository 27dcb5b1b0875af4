import { fieldOf, knownText } from '#domain/fields/field-format.ts'
import { actionWords } from '#domain/instances/action-words.ts'
import { actionKind, type ActionKind } from '#domain/instances/instance.ts'
import { labelOf, modelOf } from '#domain/instances/instance-label.ts'
import type { ListedInstance } from '#domain/instances/listed-instance.ts'
import { chargeOf } from '#domain/money/money.ts'
import { formatSshAddress, sshAddressesOf } from '#domain/ssh/ssh-address.ts'
import { sshAlias } from '#domain/ssh/ssh-config.ts'
import type { SshAddress } from '#domain/ssh/ssh.ts'
import { formatUsdPerHour } from '#ui/format.ts'
import type { DisabledReasons } from '../../features/instances/disabled-reasons.ts'
import { actionsOf } from '../../features/instances/instance-line.ts'
import { instanceStatusText } from '../../features/instances/instance-text.ts'
import type { PaletteEntry } from './palette-entry.ts'

/**
 * Each instance, with what can be done with it and where it answers SSH.
 *
 * @param addressOf the SSH address that is in use or tried first
 */
export function instanceEntries(
  instances: readonly ListedInstance[],
  addressOf: (instance: ListedInstance) => SshAddress | null,
  reasons: DisabledReasons,
): readonly PaletteEntry[] {
  return instances.flatMap((instance) => entriesOf(instance, addressOf(instance), reasons))
}

const actionLooks: Readonly<Record<ActionKind, Pick<PaletteEntry, 'icon' | 'after'>>> = {
  stop: { icon: 'i-lucide-square', after: 6 },
  destroy: { icon: 'i-lucide-trash-2', after: 7 },
}

function entriesOf(
  instance: ListedInstance,
  address: SshAddress | null,
  reasons: DisabledReasons,
): readonly PaletteEntry[] {
  const { id } = instance
  const label = labelOf(instance)
  const name = label === null ? `instance ${id}` : `${label} (${id})`
  const model = modelOf(instance.record) ?? ''
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
  const blocks = actionsOf(instance, reasons)
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
      blocked: blocks.terminal,
      after: 1,
    }),
    one('files', {
      label: `Files of ${name}`,
      icon: 'i-lucide-folder',
      to: `${page}/files`,
      blocked: blocks.terminal,
      after: 2,
    }),
    one('push', {
      label: `Push a folder to ${name}`,
      icon: 'i-lucide-folder-sync',
      to: `${page}/files?do=push`,
      blocked: blocks.terminal,
      after: 2,
    }),
    one('job', {
      label: `New job on ${name}`,
      icon: 'i-lucide-list-checks',
      to: `/jobs?do=new&on=${id}`,
      blocked: blocks.terminal,
      after: 3,
    }),
    one('forwards', {
      label: `Port forwards of ${name}`,
      icon: 'i-lucide-arrow-left-right',
      to: `${page}#forwards`,
      after: 4,
    }),
    one('guard', {
      label: `Auto-stop rules of ${name}`,
      icon: 'i-lucide-alarm-clock',
      to: `${page}#guards`,
      after: 5,
    }),
    ...actionKind.options.map((action) =>
      one(action, {
        label: `${actionWords[action].verb} ${name}`,
        to: `${page}?do=${action}`,
        blocked: blocks[action],
        ...actionLooks[action],
      }),
    ),
    ...(address === null
      ? []
      : [
          {
            id: `host:${id}`,
            group: 'SSH hosts' as const,
            label: formatSshAddress(address),
            detail: `${sshAlias(id)} · ${name}`,
            icon: 'i-lucide-network',
            choice: { kind: 'go' as const, to: page },
            after: 8,
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
