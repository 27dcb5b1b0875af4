import { defineStore } from 'pinia'
import { computed, ref, shallowRef, watch } from 'vue'
import {
  firstStepsOf,
  showsFirstSteps,
  stepsShownBy,
  type FirstStepsPreference,
  type LastingStep,
} from '#domain/workbench/first-steps.ts'
import { outlookOf } from '#domain/instances/instance-status.ts'
import { computePerHourUsd, diskPerHourUsd } from '#domain/money/money.ts'
import { client } from '#ipc/client.ts'
import { hasLoginKey } from '#shared/ssh/login-key.ts'
import { useAction } from '#ui/use-action.ts'
import { useAccountStore } from '#shared/accounts/account-store.ts'
import { useInstancesStore } from '#shared/instances/instances-store.ts'
import { useOpenTerminalsStore } from '#shared/terminals/open-terminals-store.ts'
import { usePreferencesStore } from '#shared/settings/preferences-store.ts'
import { useSshStore } from '#shared/ssh/ssh-store.ts'
import { firstStepText } from './first-steps-text.ts'

/** How far a newcomer has come, by the true state of things. Begun by the window's frame, so that nothing is missed. */
export const useFirstStepsStore = defineStore('first-steps', () => {
  const account = useAccountStore()
  const instances = useInstancesStore()
  const ssh = useSshStore()
  const terminals = useOpenTerminalsStore()
  const store = usePreferencesStore()

  const kept = computed(() => store.preferences?.firstSteps)
  async function change(part: Partial<FirstStepsPreference>): Promise<void> {
    if (kept.value) await client.settings.update({ firstSteps: { ...kept.value, ...part } })
  }
  const save = useAction(change, { attempt: 'save', inTurn: true })

  /** The price of the offer in the rent sheet; it stays when the sheet is closed. */
  const offerPerHourUsd = ref<number | null>(null)
  const instance = computed(() => {
    const all = instances.instances ?? []
    const found = all.find((one) => outlookOf(one).kind === 'ready') ?? all[0]
    if (found === undefined) return null
    return {
      id: found.id,
      isRunning: outlookOf(found).kind === 'ready',
      perHourUsd: computePerHourUsd(found.record),
      diskPerHourUsd: diskPerHourUsd(found.record),
    }
  })

  /** What this run has shown to be done; it may not be kept yet. */
  const seen = shallowRef<readonly LastingStep[]>([])
  const steps = computed(() =>
    firstStepsOf({
      isConnected: account.connected !== null,
      creditUsd: account.user?.credit,
      hasLoginKey: ssh.access === null ? null : hasLoginKey(ssh.access),
      done: [...(kept.value?.done ?? []), ...seen.value],
    }).map((step) => ({
      ...step,
      ...firstStepText(step.kind, { offerPerHourUsd: offerPerHourUsd.value, instance: instance.value }),
    })),
  )
  const next = computed(() => steps.value.find(({ state }) => state === 'open') ?? null)
  const isShown = computed(() => kept.value !== undefined && showsFirstSteps(kept.value.shown, steps.value))

  const hasShell = computed(
    () => terminals.count > 0 && ssh.connections.some(({ state }) => state.kind === 'open'),
  )
  /** A list of an earlier run tells nothing of what was done in this one. */
  const listed = computed(() => (instances.isRemembered ? null : instances.instances))
  watch(
    [listed, hasShell],
    ([now, isOpen], [before]) => {
      if (now === null) return
      const shown = stepsShownBy({ before: before ?? null, now, hasShell: isOpen })
      if (shown.some((step) => !seen.value.includes(step)))
        seen.value = [...new Set([...seen.value, ...shown])]
    },
    { immediate: true },
  )
  const keep = useAction((done: FirstStepsPreference['done']) => change({ done }), {
    attempt: 'save',
    failure: 'in-place',
    inTurn: true,
  })
  watch(
    [seen, kept],
    ([now, { done } = { done: now }]) => {
      if (now.some((step) => !done.includes(step))) void keep.run([...new Set([...done, ...now])])
    },
    { immediate: true },
  )

  return {
    steps,
    next,
    isShown,
    offerPerHourUsd,
    putAway: () => save.run({ shown: 'never' }),
    bringBack: () => save.run({ shown: 'always' }),
  }
})
