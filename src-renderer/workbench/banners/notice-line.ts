import { defineStore } from 'pinia'
import { computed, onScopeDispose, ref, shallowReactive, watch, watchEffect, type ComputedRef } from 'vue'
import type { Tone } from '#ui/tone.ts'

/** Money and access come before hints. */
const tones = ['bad', 'warning', 'busy', 'neutral', 'good'] as const satisfies readonly Tone[]

/** All that is told above and below the page takes one line: that of what matters most, until the user asks for all. */
export const useNoticeLineStore = defineStore('notice-line', () => {
  /** By what tells it: how little it matters. */
  const ranks = shallowReactive(new Map<symbol, number>())
  const first = computed(() => [...ranks].toSorted(([, one], [, other]) => one - other)[0]?.[0] ?? null)
  const others = computed(() => Math.max(0, ranks.size - 1))
  const isOpen = ref(false)
  watch(others, (count) => {
    if (count === 0) isOpen.value = false
  })
  return { ranks, first, others, isOpen }
})

/**
 * How much it matters besides its tone: `now` for a question, and for what just was or soon will be done with money,
 * `standing` for what lasts until its user changes something, such as how this computer is set up or what runs, `hint` for what is neither about money nor access.
 */
export type NoticeWeight = 'now' | 'standing' | 'hint'

/** The less, the earlier: a rule that is about to destroy isn't hidden behind a keychain that is missing for good. */
function rankOf(tone: Tone, weight?: NoticeWeight): number {
  if (weight === 'hint') return tones.length
  if (weight === 'now' && tone !== 'bad') return tones.indexOf('warning') - 0.5
  return tones.indexOf(tone) + (weight === 'standing' ? 0.25 : 0)
}

/** Takes part in the one line. @param notice `null`: there's nothing to tell */
export function useNotice(notice: () => { readonly tone: Tone; readonly weight?: NoticeWeight } | null): {
  readonly isShown: ComputedRef<boolean>
  readonly isFirst: ComputedRef<boolean>
} {
  const line = useNoticeLineStore()
  const id = Symbol('notice')
  watchEffect(() => {
    const now = notice()
    if (now === null) line.ranks.delete(id)
    else line.ranks.set(id, rankOf(now.tone, now.weight))
  })
  onScopeDispose(() => line.ranks.delete(id))
  const isFirst = computed(() => line.first === id)
  return { isFirst, isShown: computed(() => line.isOpen || isFirst.value) }
}
