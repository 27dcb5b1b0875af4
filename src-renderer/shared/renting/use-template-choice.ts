import { computed, ref, watch, type Ref } from 'vue'
import type { Template } from '#domain/templates/template.ts'
import { useAccountStore } from '#shared/accounts/account-store.ts'
import { useSharedTemplatesStore } from '#shared/templates/templates-store.ts'

/**
 * The templates that a rental can be made from: the account's, the recommended ones, and what is looked up.
 *
 * @param template the one that is chosen
 */
export function useTemplateChoice(template: Ref<Template | null>) {
  const account = useAccountStore()
  const templates = useSharedTemplatesStore()
  const { own, recommended, byName, byHash } = templates
  const lists = [own, recommended, byName, byHash]

  /** What is looked for, until it was answered or another template was chosen. */
  let wanted: string | null = null

  async function load(): Promise<void> {
    const answered = await Promise.all([
      account.userId === null || own.ask({ creator_id: { eq: account.userId } }),
      recommended.ask({ recommended: { eq: true } }),
    ])
    if (answered.includes(false)) return
    // Its hash id is another one after an edit; the old one leads nowhere.
    const chosen = [...listed(own), ...listed(recommended)].find(({ id }) => id === template.value?.id)
    if (chosen) template.value = chosen
  }
  /** What was listed before an edit names a hash id that is no more. */
  function refreshLookedUp(): void {
    for (const list of [byName, byHash]) if (!list.isCurrent) void list.refresh()
  }
  async function loadAll(): Promise<void> {
    refreshLookedUp()
    await load()
  }
  watch(() => templates.news, loadAll, { immediate: true })

  function listed({ found }: typeof own): readonly Template[] {
    return found?.templates ?? []
  }
  /** By its name, by its hash id, or by both: then it is one. Until both have answered, what was found before. */
  const lookedUp = computed<readonly Template[]>((before = []) => {
    if (!byName.isCurrent || !byHash.isCurrent) return before
    return [...new Map([...listed(byName), ...listed(byHash)].map((one) => [one.hash_id, one])).values()]
  })

  /** Each template once; the one that is chosen stays among them, however it was found. */
  const groups = computed(() => {
    const seen = new Set<string>()
    const unseen = (list: readonly Template[]): Template[] =>
      list.filter(({ hash_id }) => !seen.has(hash_id) && seen.add(hash_id))
    return [
      { heading: 'Yours', of: unseen(listed(own)) },
      { heading: 'Found', of: unseen(lookedUp.value) },
      { heading: 'Recommended', of: unseen(listed(recommended)) },
      { heading: 'Chosen', of: unseen(template.value ? [template.value] : []) },
    ]
  })

  const notFound = ref<string | null>(null)
  function choose(hashId: string | undefined): void {
    notFound.value = null
    wanted = null
    template.value = groups.value.flatMap(({ of }) => of).find(({ hash_id }) => hash_id === hashId) ?? null
  }

  /** @returns whether it was answered, and nothing else was chosen in the meantime */
  async function lookUp(text: string): Promise<boolean> {
    notFound.value = null
    const eq = (wanted = text.trim())
    const answered = await Promise.all([byName.ask({ name: { eq } }), byHash.ask({ hash_id: { eq } })])
    if (answered.includes(false) || wanted !== eq) return false
    wanted = null
    const [only, ...more] = lookedUp.value
    if (only && more.length === 0) template.value = only
    else if (!only) notFound.value = eq
    return true
  }

  /** Asks once more what failed. */
  async function tryAgain(): Promise<void> {
    const loading = own.problem || recommended.problem ? load() : null
    if (wanted !== null) await lookUp(wanted)
    else refreshLookedUp()
    await loading
  }

  return {
    groups,
    /** The name or hash id that no template has; `null` for none. */
    notFound,
    isLoading: computed(() => lists.some(({ isLoading }) => isLoading)),
    problem: computed(() => lists.find(({ problem }) => problem)?.problem ?? null),
    choose,
    lookUp,
    tryAgain,
  }
}
