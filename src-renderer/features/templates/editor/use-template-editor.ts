import { useToast } from '@nuxt/ui/composables/useToast'
import { watchDebounced } from '@vueuse/core'
import { computed, reactive, ref, shallowRef, watch } from 'vue'
import { readTemplateRow } from '#domain/renting/env-rows.ts'
import { filtersOfDraft } from '#domain/fields/filter-row.ts'
import { isSameJson } from '#domain/base/json-value.ts'
import { offerFields } from '#domain/offers/offer-fields.ts'
import type { Problem } from '#domain/base/problem.ts'
import { changesBetween, contentOf, type TemplateContent } from '#domain/templates/template-content.ts'
import { isTokenChange, type DraftToken } from '#domain/templates/registry-token.ts'
import {
  initialOf,
  newOrigin,
  templateDraft,
  type SaveResult,
  type TemplateDraft,
} from '#domain/templates/template-draft.ts'
import {
  formOf,
  newTemplateForm,
  readForm,
  type FieldProblems,
  type TemplateForm,
} from '#domain/templates/template-form.ts'
import { isRuntype, switchesToBeginWith } from '#domain/templates/template-runtype.ts'
import type { Template } from '#domain/templates/template.ts'
import { client } from '#ipc/client.ts'
import { toProblem } from '#ipc/problem.ts'
import { createEnvironmentEditor } from '#shared/renting/environment/environment-editor.ts'
import { usePendingSaves } from '#ui/pending-saves.ts'
import { useSharedTemplatesStore } from '#shared/templates/templates-store.ts'
import { useAction } from '#ui/use-action.ts'

/** Typing pauses for this long, or goes on for that long, before the draft is on the disk. */
const keepAfterMs = 300
const keepAtLeastEveryMs = 1_500

type Origin = TemplateDraft['origin']
type Fields = Omit<TemplateForm, 'env'>
/** A field that is edited as text. */
export type TextFieldName = {
  [Name in keyof Fields]: Fields[Name] extends string ? Name : never
}[keyof Fields]

/** What was left out is not called wrong before it was to be sent. */
const lateFields: readonly string[] = ['name', 'image', 'env', 'token']

/** What a new editor begins with. */
export interface EditorStart {
  readonly id: string
  readonly origin: Origin
  readonly form: TemplateForm
  readonly token: DraftToken
  readonly isUnsettled: boolean
}

export function newStart(form: TemplateForm = newTemplateForm): EditorStart {
  return { id: crypto.randomUUID(), origin: { kind: 'new' }, form, token: 'none', isUnsettled: false }
}

export function editStart(base: Template): EditorStart {
  return { ...newStart(formOf(contentOf(base))), origin: { kind: 'edit', base } }
}

/** One template being written: its form, its draft on the disk, and saving it. */
export function useTemplateEditor(start: EditorStart) {
  const toast = useToast()
  const shared = useSharedTemplatesStore()
  const { env: firstEnv, ...firstFields } = start.form
  const fields = ref<Fields>(firstFields)
  const environment = reactive(createEnvironmentEditor(undefined, readTemplateRow))
  const origin = shallowRef<Origin>(start.origin)
  const token = ref<DraftToken>(start.token)
  const isUnsettled = ref(start.isUnsettled)
  /** Whether fields say what is wrong with them before they were sent. */
  const showErrors = ref(false)
  /** Why the draft is not on the disk. */
  const keepProblem = shallowRef<Problem | null>(null)
  setEnvironment(firstEnv)

  const base = computed<TemplateContent | null>(() =>
    origin.value.kind === 'edit' ? contentOf(origin.value.base) : null,
  )
  const form = computed<TemplateForm>(() => ({
    ...fields.value,
    env:
      environment.view === 'rows'
        ? { view: 'rows', rows: environment.rows.map(({ id: _, ...row }) => row) }
        : { view: 'flags', flags: environment.flags },
  }))
  const initial = computed(() => initialOf(origin.value))
  const read = computed(() => readForm(form.value, base.value, token.value, initial.value))
  /** What is wrong with each field, as far as it is said by now. */
  const problems = computed<FieldProblems>(() => {
    if (showErrors.value) return read.value.problems
    const early = Object.entries(read.value.problems).filter(([field]) => !lateFields.includes(field))
    return Object.fromEntries(early)
  })
  const changes = computed(() => (base.value === null ? {} : changesBetween(base.value, read.value.content)))
  const isChanged = computed(
    () => base.value === null || Object.keys(changes.value).length > 0 || isTokenChange(token.value),
  )
  const filters = computed(() => filtersOfDraft(fields.value.extra_filters, offerFields))

  function setEnvironment(env: TemplateForm['env']): void {
    if (env.view === 'rows') environment.setRows(env.rows)
    else environment.setFlags(env.flags)
    environment.view = env.view
  }
  function setContent(content: TemplateContent): void {
    const { env, ...rest } = formOf(content)
    fields.value = rest
    setEnvironment(env)
  }
  function setRuntype(runtype: string): void {
    if (!isRuntype(runtype)) return
    fields.value = { ...fields.value, runtype, ...switchesToBeginWith(runtype) }
  }

  const draft = computed<TemplateDraft>(() => ({ id: start.id, origin: origin.value, form: form.value }))
  let isOver = false
  let kept: TemplateForm = start.form
  /** Only what was touched is a draft. */
  async function keep(): Promise<void> {
    const current = templateDraft.parse(draft.value)
    // Kept while it's saved, it might come after main has taken the draft of what is saved away.
    if (isOver || saving.pending.value || isSameJson(current.form, kept)) return
    try {
      await client.templates.keepDraft(current)
      kept = current.form
      keepProblem.value = null
    } catch (error) {
      keepProblem.value = toProblem(error)
    }
  }
  watchDebounced(form, keep, { debounce: keepAfterMs, maxWait: keepAtLeastEveryMs, deep: true })
  usePendingSaves(keep)

  /** @param text empty to remove the one that the service has; `null` takes back either */
  async function holdToken(text: string | null): Promise<void> {
    await client.templates.keepDraft(templateDraft.parse(draft.value))
    await client.templates.holdToken({ id: start.id, token: text })
    token.value = text === null ? 'none' : text === '' ? 'removed' : 'held'
  }
  const holding = useAction(holdToken, { attempt: 'save', failure: 'in-place' })

  const result = shallowRef<SaveResult | null>(null)
  const saving = useAction(
    async () => {
      result.value = null
      result.value = await client.templates.save(templateDraft.parse(draft.value))
    },
    { attempt: 'save', failure: 'in-place' },
  )
  /** The template, once it is saved. */
  async function save(): Promise<Template | null> {
    const wasNew = origin.value.kind !== 'edit'
    if (!(await saving.run())) {
      const view = await client.templates.readDraft({ id: start.id })
      isUnsettled.value = view?.isUnsettled === true
      void keep()
      return null
    }
    isUnsettled.value = false
    if (result.value?.kind !== 'saved') {
      void keep()
      return null
    }
    isOver = true
    const { template, wasLost } = result.value
    shared.tell({ id: template.id, now: template })
    toast.add({
      title: `“${template.name}” is ${wasNew ? 'created' : 'saved'}`,
      description: wasLost ? 'No reply came, but the service has the template.' : '',
      icon: 'i-lucide-circle-check',
      color: 'success',
    })
    return template
  }

  /** Goes on with what was put together from both edits. */
  function takeMerged(content: TemplateContent, theirs: Template): void {
    origin.value = { kind: 'edit', base: theirs }
    setContent(content)
    result.value = null
    void keep()
  }
  /** Goes on as a new template: the edited one is there no more. */
  function becomeNew(): void {
    origin.value = newOrigin(read.value.content)
    if (token.value === 'removed') token.value = 'none'
    result.value = null
  }
  watch(origin, () => {
    kept = newTemplateForm
    void keep()
  })

  async function discard(): Promise<void> {
    isOver = true
    await client.templates.discardDraft({ id: start.id })
  }

  return {
    id: start.id,
    fields,
    environment,
    origin,
    token,
    isUnsettled,
    showErrors,
    keepProblem,
    base,
    read,
    problems,
    changes,
    isChanged,
    filters,
    result,
    isSaving: saving.pending,
    saveProblem: saving.problem,
    clearProblem: saving.clear,
    isHolding: holding.pending,
    holdProblem: holding.problem,
    setRuntype,
    keep,
    holdToken: holding.run,
    save,
    takeMerged,
    becomeNew,
    discard,
  }
}

export type TemplateEditor = ReturnType<typeof useTemplateEditor>
