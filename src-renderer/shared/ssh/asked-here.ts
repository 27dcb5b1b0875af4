import { onScopeDispose, shallowRef, watch } from 'vue'

/** For each place on the screen the instances whose questions are asked there. */
const places = shallowRef<ReadonlyMap<symbol, readonly number[]>>(new Map())

/** Tells that what these instances ask is asked by this component. */
export function useAskedHere(instanceIds: () => readonly number[]): void {
  const self = Symbol('place')
  watch(
    instanceIds,
    (ids) => {
      places.value = new Map([...places.value, [self, ids]])
    },
    { immediate: true },
  )
  onScopeDispose(() => {
    places.value = new Map([...places.value].filter(([place]) => place !== self))
  })
}

/** Whether what this instance asks is asked anywhere on the screen. */
export function isAskedSomewhere(instanceId: number): boolean {
  return [...places.value.values()].some((ids) => ids.includes(instanceId))
}
