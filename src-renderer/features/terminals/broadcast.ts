import { computed, shallowRef, type ComputedRef, type Ref } from 'vue'
import type { SharedInput } from './screen/typed-input.ts'

interface Member {
  readonly key: string
  readonly receive: (input: SharedInput) => void
}

/** Typing into several terminals at once: what is put into one of the chosen goes to all of them. */
export interface Broadcast {
  /** How many share what is typed: none, or at least two. */
  readonly count: ComputedRef<number>
  /** Whether the user has chosen it, alone or with others. */
  readonly isChosen: (key: string) => boolean
  readonly toggle: (key: string) => void
  readonly stop: () => void
  /** Gives it to all others, if it comes from one that was chosen. */
  readonly send: (from: string, input: SharedInput) => void
}

/** @param terminals the open ones: what is closed shares nothing any more */
export function createBroadcast(terminals: Readonly<Ref<readonly Member[]>>): Broadcast {
  const chosen = shallowRef<ReadonlySet<string>>(new Set())
  const members = computed(() => terminals.value.filter(({ key }) => chosen.value.has(key)))
  return {
    count: computed(() => (members.value.length < 2 ? 0 : members.value.length)),
    isChosen: (key) => chosen.value.has(key),
    toggle(key) {
      const next = new Set(members.value.map((member) => member.key))
      if (!next.delete(key)) next.add(key)
      chosen.value = next
    },
    stop() {
      chosen.value = new Set()
    },
    send(from, input) {
      if (!chosen.value.has(from)) return
      for (const member of members.value) if (member.key !== from) member.receive(input)
    },
  }
}
