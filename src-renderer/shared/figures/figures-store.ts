import { defineStore } from 'pinia'
import { computed, shallowRef, watch } from 'vue'
import { alarmKey, type FiguresAlarm } from '#domain/figures/figures-alarm.ts'
import { client } from '#ipc/client.ts'
import { useWatch } from '#ipc/watch.ts'

/** What figures of instances warn of; followed once for the list and the banners. */
export const useFiguresStore = defineStore('figures', () => {
  const { latest } = useWatch(client.figures.watchAlarms)
  const alarms = computed(() => (latest.value ?? []).filter((one) => one.alarms.length > 0))
  const alarmsOf = (instanceId: number): readonly FiguresAlarm[] =>
    alarms.value.find((one) => one.instanceId === instanceId)?.alarms ?? []
  /** Whose banner the user has seen: an alarm of one kind and instance, until it's over. */
  const dismissed = shallowRef<ReadonlySet<string>>(new Set())
  watch(latest, (all) => {
    const lasting = new Set(
      (all ?? []).flatMap((one) => one.lasting.map((kind) => alarmKey(one.instanceId, { kind }))),
    )
    dismissed.value = new Set([...dismissed.value].filter((key) => lasting.has(key)))
  })
  const dismiss = (keys: readonly string[]): void => {
    dismissed.value = new Set([...dismissed.value, ...keys])
  }
  return { alarms, alarmsOf, dismissed, dismiss }
})
