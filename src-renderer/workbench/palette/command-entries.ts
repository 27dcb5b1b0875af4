import { appCommands, type AppCommand, type AppCommandId } from '#domain/workbench/app-commands.ts'
import { acceleratorWords } from '../accelerator.ts'
import { railItems } from '../rail-items.ts'
import type { PaletteEntry } from './palette-entry.ts'

const icons: Readonly<Partial<Record<AppCommandId, string>>> = {
  ...Object.fromEntries(railItems.map(({ command, icon }) => [command, icon])),
  account: 'i-lucide-circle-user',
  spending: 'i-lucide-chart-column',
  run: 'i-lucide-square-chevron-right',
  'refresh-instances': 'i-lucide-rotate-cw',
  'insert-saved-command': 'i-lucide-bookmark',
  'open-terminals': 'i-lucide-square-terminal',
  'reopen-terminal': 'i-lucide-undo-2',
  'new-job': 'i-lucide-plus',
  'new-template': 'i-lucide-plus',
  'hide-secrets': 'i-lucide-eye-off',
  'use-admin-session': 'i-lucide-shield-user',
  'use-api-key': 'i-lucide-key-round',
  'cannot-sign-in': 'i-lucide-circle-help',
  'cost-limit': 'i-lucide-circle-dollar-sign',
  budget: 'i-lucide-circle-dollar-sign',
  'sign-out': 'i-lucide-log-out',
  shortcuts: 'i-lucide-keyboard',
  updates: 'i-lucide-download',
  about: 'i-lucide-info',
}

/** The palette itself is where one is. */
const leftOut: ReadonlySet<AppCommandId> = new Set(['palette'])

const pages: ReadonlySet<AppCommandId> = new Set([
  ...railItems.map(({ command }) => command),
  'account',
  'spending',
  'run',
  'diagnostics',
  'licenses',
  'cannot-sign-in',
])

/** Every page, and every action that is about no single thing. */
export function commandEntries({
  isConnected,
  mac,
  blocked,
}: {
  readonly isConnected: boolean
  readonly mac: boolean
  /** Why a command cannot be used now. */
  readonly blocked: Readonly<Partial<Record<AppCommandId, string | null>>>
}): readonly PaletteEntry[] {
  return appCommands
    .filter(({ id, withoutAccount }) => !leftOut.has(id) && (isConnected || withoutAccount === true))
    .map((command) => ({ ...entryOf(command, mac), blocked: blocked[command.id] ?? null }))
}

function entryOf({ id, label, about, accelerators }: AppCommand, mac: boolean): PaletteEntry {
  return {
    id: `command:${id}`,
    group: pages.has(id) ? 'Pages' : 'Actions',
    label,
    detail: about,
    icon: icons[id] ?? 'i-lucide-corner-down-right',
    ...(accelerators?.[0] !== undefined && { keys: acceleratorWords(accelerators[0], mac) }),
    choice: { kind: 'command', id },
    blocked: null,
  }
}
