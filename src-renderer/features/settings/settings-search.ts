import { computed, inject, provide, ref, shallowReactive, type InjectionKey, type Ref } from 'vue'

interface SettingsSearch {
  readonly typed: Readonly<Ref<string>>
  readonly report: (section: string, isFound: boolean) => void
}

const searchKey: InjectionKey<SettingsSearch> = Symbol('settings search')

/** For the page. `found`: how many sections have what is typed; `null` while nothing is. */
export function provideSettingsSearch(): {
  readonly typed: Ref<string>
  readonly found: Readonly<Ref<number | null>>
} {
  const typed = ref('')
  const answers = shallowReactive(new Map<string, boolean>())
  provide(searchKey, { typed, report: (section, isFound) => answers.set(section, isFound) })
  const found = computed(() =>
    typed.value.trim() === '' ? null : [...answers.values()].filter((isFound) => isFound).length,
  )
  return { typed, found }
}

/** For a section of the page. */
export function useSettingsSearch(): SettingsSearch {
  const search = inject(searchKey)
  if (search === undefined) throw new Error('A section of settings stands outside of their page')
  return search
}
