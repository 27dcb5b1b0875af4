import { computed, type ComputedRef } from 'vue'
import { isSameJson } from '#domain/base/json-value.ts'
import { isMac } from '#ui/platform.ts'
import { useAccountStore } from '#shared/accounts/account-store.ts'
import { useForwardsStore } from '#shared/forwards/forwards-store.ts'
import { useInstancesStore } from '#shared/instances/instances-store.ts'
import { usePreferencesStore } from '#shared/settings/preferences-store.ts'
import { useSshStore } from '#shared/ssh/ssh-store.ts'
import { useSharedTemplatesStore } from '#shared/templates/templates-store.ts'
import { useDisabledReasons } from '../../features/instances/use-disabled-reasons.ts'
import { useOfferListsStore } from '../../features/offers/lists-store.ts'
import { useCommands } from '../use-commands.ts'
import { commandEntries } from './command-entries.ts'
import { forwardEntries } from './forward-entries.ts'
import { instanceEntries } from './instance-entries.ts'
import {
  accountEntries,
  jumpHostEntries,
  searchEntries,
  settingsEntries,
  templateEntries,
} from './list-entries.ts'
import type { PaletteEntry } from './palette-entry.ts'
import { indexEntries, type IndexedEntry } from './rank-entries.ts'

/** Everything that the palette leads to, by what is known now, prepared for being searched. */
export function usePaletteEntries(): ComputedRef<readonly (readonly IndexedEntry[])[]> {
  const account = useAccountStore()
  const instances = useInstancesStore()
  const preferences = usePreferencesStore()
  const lists = useOfferListsStore()
  const forwards = useForwardsStore()
  const ssh = useSshStore()
  const templates = useSharedTemplatesStore()
  const reasons = useDisabledReasons()
  const commands = useCommands()

  // Each of them apart: what does not change is not made anew with every list of instances.
  const parts = [
    computed(() =>
      commandEntries({
        isConnected: account.connected !== null,
        mac: isMac,
        blocked: commands.blocked.value,
      }),
    ),
    computed(() => accountEntries(account.others)),
    computed(() => instanceEntries(instances.instances ?? [], ssh.addressOf, reasons.value)),
    computed((before?: readonly PaletteEntry[]) => {
      // The bytes that they count come every second, and are no part of the entries.
      const now = forwardEntries(forwards.forwards)
      return before !== undefined && isSameJson(before, now) ? before : now
    }),
    computed(() => templateEntries(templates.brief.found?.templates ?? [])),
    computed(() => searchEntries(lists.lists.searches)),
    computed(() => jumpHostEntries(preferences.preferences?.jumpHosts ?? '')),
    computed(() => (account.connected === null ? [] : settingsEntries())),
  ].map((entries) => computed(() => indexEntries(entries.value)))
  return computed(() => parts.map(({ value }) => value))
}
