import { until } from '@vueuse/core'
import { computed, shallowRef } from 'vue'
import type { Filters } from '#domain/fields/filter.ts'
import type { Template } from '#domain/templates/template.ts'
import type { UnreadableRecord } from '#domain/rental-api/unreadable-record.ts'
import { fromParts } from '#ipc/parts.ts'
import { client } from '#ipc/client.ts'
import { useAction } from '#ui/use-action.ts'

/** A template that was created, edited or deleted in this window: whoever shows it, or rents with it, follows. */
export interface TemplateNews {
  readonly id: number
  /** `null`: it is there no more. */
  readonly now: Template | null
}

export interface FoundTemplates<T> {
  readonly templates: readonly T[]
  /** Templates that were found and couldn't be read. */
  readonly unreadable: readonly UnreadableRecord[]
  /** What was asked, with hash ids as they are by now. */
  readonly filters: Filters
  /** When it was answered, ms since the epoch. */
  readonly at: number
}

interface TemplateListOptions<T> {
  readonly attempt: 'load' | 'search'
  /** What the window keeps of each. */
  readonly keep: (template: Template) => T
  /** The newest: a list that was asked for before it is not current. */
  readonly news: () => TemplateNews | null
}

/** The templates that fit the filters that were asked for last. */
export function useTemplateList<T>({ attempt, keep, news }: TemplateListOptions<T>) {
  /** `null` before the first answer; a later failure keeps it. */
  const found = shallowRef<FoundTemplates<T> | null>(null)
  const lastAsked = shallowRef<Filters | null>(null)
  const asking = shallowRef(new AbortController())
  /** The question whose answer was found, and what was new when it was asked. */
  const answered = shallowRef<{ readonly signal: AbortSignal; readonly news: TemplateNews | null } | null>(
    null,
  )

  const searching = useAction(
    async (asked: Filters, signal: AbortSignal) => {
      const before = news()
      try {
        // An edit gives a template another hash id.
        const isByHash = Object.hasOwn(asked, 'hash_id')
        const filters = isByHash ? await client.templates.follow({ filters: asked }) : asked
        signal.throwIfAborted()
        const parts = await client.templates.search({ filters }, { signal })
        const { records, unreadable } = await fromParts(parts)
        signal.throwIfAborted()
        found.value = { templates: records.map(keep), unreadable, filters, at: Date.now() }
        answered.value = { signal, news: before }
      } catch (error) {
        // Another question has another answer.
        if (!signal.aborted) throw error
      }
    },
    { attempt, failure: 'in-place' },
  )
  /**
   * Asks the service; what is still on its way gives way to the newer question.
   *
   * @returns whether it was answered
   */
  async function ask(filters: Filters): Promise<boolean> {
    asking.value.abort()
    const { signal } = (asking.value = new AbortController())
    lastAsked.value = filters
    await until(searching.pending).toBe(false)
    return !signal.aborted && (await searching.run(filters, signal)) && !signal.aborted
  }

  return {
    found,
    lastAsked,
    /** Whether what was found answers what was asked last, and no template was saved or deleted since. */
    isCurrent: computed(
      () => answered.value?.signal === asking.value.signal && answered.value.news === news(),
    ),
    isLoading: searching.pending,
    problem: searching.problem,
    ask,
    /** Asks once more what was asked last, if anything. */
    refresh: async () => lastAsked.value !== null && (await ask(lastAsked.value)),
  }
}
