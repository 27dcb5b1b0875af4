import { computed, type ComputedRef } from 'vue'
import { useRouter } from 'vue-router'
import { appCommand, type AppCommandId } from '#domain/workbench/app-commands.ts'
import { client } from '#ipc/client.ts'
import { useAccountStore } from '#shared/accounts/account-store.ts'
import { useOpenTerminalsStore } from '#shared/terminals/open-terminals-store.ts'
import { usePreferencesStore } from '#shared/settings/preferences-store.ts'
import { useTwoFactorStore } from '#shared/two-factor/two-factor-store.ts'
import { useAction } from '#ui/use-action.ts'
import { useOverlaysStore } from './overlays-store.ts'

interface Commands {
  /** Does it, or goes where it is done. */
  readonly run: (id: AppCommandId) => void
  /** Why some cannot be used now. */
  readonly blocked: ComputedRef<Readonly<Partial<Record<AppCommandId, string | null>>>>
}

/** The commands of `domain/workbench/app-commands.ts`, for the palette, the keys and the menu. */
export function useCommands(): Commands {
  const router = useRouter()
  const frame = useOverlaysStore()
  const account = useAccountStore()
  const preferences = usePreferencesStore()
  const twoFactor = useTwoFactorStore()
  const terminals = useOpenTerminalsStore()
  const refresh = useAction(() => client.instances.refresh(), { attempt: 'load' })
  const hide = useAction(() => client.vault.hide(), { attempt: 'load' })
  const bearer = useAction(
    (chosen: 'api-key' | 'admin-session') => client.twoFactor.chooseBearer({ bearer: chosen }),
    { attempt: 'save' },
  )
  const add = useAction(() => client.accounts.add(), { attempt: 'load' })

  const here: Readonly<Partial<Record<AppCommandId, () => unknown>>> = {
    'refresh-instances': refresh.run,
    'hide-secrets': hide.run,
    'use-admin-session': () => bearer.run('admin-session'),
    'use-api-key': () => bearer.run('api-key'),
    'add-account': add.run,
    'theme-system': () => preferences.change({ theme: 'system' }),
    'theme-dark': () => preferences.change({ theme: 'dark' }),
    'theme-light': () => preferences.change({ theme: 'light' }),
    palette: () => (frame.isPaletteOpen = !frame.isPaletteOpen),
    shortcuts: () => (frame.isSheetOpen = true),
  }

  function run(id: AppCommandId): void {
    const command = appCommand(id)
    if (account.connected === null && command.withoutAccount !== true) return
    here[id]?.()
    if (command.to !== null) void router.push(command.to)
  }

  const blocked = computed(() => {
    const isByKey = account.connected?.bearer !== 'admin-session'
    const theme = preferences.preferences?.theme
    return {
      ...(theme !== undefined && { [`theme-${theme}`]: 'It is so already' }),
      'use-admin-session': !isByKey
        ? 'It’s in use'
        : twoFactor.known?.session?.isAdmin
          ? null
          : 'Sign in as admin in Security first',
      'use-api-key': isByKey ? 'It’s in use' : null,
      'insert-saved-command': terminals.count > 0 ? null : 'No terminal is open',
      'reopen-terminal': terminals.canReopen ? null : 'No terminal was closed',
    }
  })

  return { run, blocked }
}
