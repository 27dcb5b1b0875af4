import { defineStore } from 'pinia'
import { computed } from 'vue'
import type { FiguresAlarm } from '#domain/figures/figures-alarm.ts'
import { client } from '#ipc/client.ts'
import { useWatch } from '#ipc/watch.ts'

/** What figures of instances warn of; followed once for the list and the banners. */
export const useFiguresStore = defineStore('figures', () => {
  const { latest } = useWatch(client.figures.watchAlarms)
  const alarms = computed(() => latest.value ?? [])
  const alarmsOf = (instanceId: number): readonly FiguresAlarm[] =>
    alarms.value.find((one) => one.instanceId === instanceId)?.alarms ?? []
  return { alarms, alarmsOf }
})
