import type { AccountLine } from '#domain/accounts/accounts.ts'
import { searchPath, type SavedSearch } from '#domain/offers/offer-lists.ts'
import { burnText } from '#shared/accounts/account-text.ts'
import type { BriefTemplate } from '#shared/templates/templates-store.ts'
import { offerSentence } from '../../features/offers/offer-sentence.ts'
import { settingsSections } from '../../features/settings/settings-sections.ts'
import type { PaletteEntry } from './palette-entry.ts'

/** The other accounts, each a page of its own. */
export function accountEntries(others: readonly AccountLine[]): readonly PaletteEntry[] {
  return others.map((account) => ({
    id: `account:${account.id}`,
    group: 'Accounts',
    label: `Switch to ${account.name}`,
    detail: `${burnText(account)} · ${account.serviceAddress}`,
    icon: 'i-lucide-users',
    choice: { kind: 'account', id: account.id },
  }))
}

export function searchEntries(searches: readonly SavedSearch[]): readonly PaletteEntry[] {
  return searches.flatMap(({ id, name, query }) => {
    const entry = { group: 'Saved searches', detail: offerSentence(query) } as const
    return [
      {
        ...entry,
        id: `search:${id}`,
        label: name,
        icon: 'i-lucide-bookmark',
        choice: { kind: 'go', to: searchPath(id) },
      },
      {
        ...entry,
        id: `search:${id}:watch`,
        label: `Watch ${name}`,
        icon: 'i-lucide-eye',
        choice: { kind: 'go', to: `/offers?watch=${encodeURIComponent(id)}` },
        after: 1,
      },
    ]
  })
}

/** The jump hosts on the way to every instance. @param jumpHosts as for `ssh -J` */
export function jumpHostEntries(jumpHosts: string): readonly PaletteEntry[] {
  return jumpHosts
    .split(',')
    .map((host) => host.trim())
    .filter((host) => host !== '')
    .map((host) => ({
      id: `jump-host:${host}`,
      group: 'SSH hosts',
      label: host,
      detail: 'Jump host on the way to every instance',
      icon: 'i-lucide-network',
      choice: { kind: 'go', to: '/settings#ssh-login' },
    }))
}

export function settingsEntries(): readonly PaletteEntry[] {
  return Object.entries(settingsSections).map(([anchor, { title, about }]) => ({
    id: `settings:${anchor}`,
    group: 'Settings',
    label: `Settings: ${title}`,
    detail: about,
    icon: 'i-lucide-settings',
    choice: { kind: 'go', to: `/settings#${anchor}` },
  }))
}

export function templateEntries(templates: readonly BriefTemplate[]): readonly PaletteEntry[] {
  return templates.flatMap(({ id, title, image, words }) => {
    const entry = { group: 'Templates', detail: image, words } as const
    return [
      {
        ...entry,
        id: `template:${id}`,
        label: title,
        icon: 'i-lucide-layout-template',
        choice: { kind: 'go', to: `/templates/${id}` },
      },
      {
        ...entry,
        id: `template:${id}:rent`,
        label: `Rent with ${title}`,
        icon: 'i-lucide-search',
        choice: { kind: 'go', to: `/offers?rent-with=${id}` },
        after: 1,
      },
    ]
  })
}
