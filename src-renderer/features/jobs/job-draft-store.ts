import { defineStore } from 'pinia'
import { computed, reactive, ref, shallowRef, watch } from 'vue'
import { outlookOf } from '#domain/instances/instance-status.ts'
import type { Job } from '#domain/jobs/job.ts'
import type { SavedSearch } from '#domain/offers/offer-lists.ts'
import type { RetryPlan } from '#domain/renting/retry.ts'
import { typedNumber } from '#domain/renting/typed-number.ts'
import { defaultDiskGb, type Template } from '#domain/templates/template.ts'
import { useInstancesStore } from '#shared/instances/instances-store.ts'
import { createRetryPlanDraft } from '#shared/renting/retry-plan-draft.ts'
import { useSshStore } from '#shared/ssh/ssh-store.ts'
import type { RentHints } from '#domain/jobs/definition-file.ts'
import { definitionName } from '#domain/jobs/job-definition.ts'
import { checkDraft, draftOfDefinition, type JobDraft } from './job-draft.ts'
import type { DefinitionFound } from './job-form-text.ts'
import type { DroppedDefinition } from './use-definition-drop.ts'
import type { client } from '#ipc/client.ts'

type ReadDefinition = Awaited<ReturnType<typeof client.jobs.readDefinition>>

const emptyDraft: JobDraft = {
  folder: '',
  name: '',
  command: '',
  honorGitignore: true,
  exclude: '',
  fetch: '',
  place: 'instance',
  instanceId: null,
  image: '',
  templateHashId: null,
  disk: String(defaultDiskGb),
  addSshKey: true,
  then: 'keep',
  stopsItself: false,
  stopAfter: '30',
}

/** What fills in the whole form: a definition that was read, or a job. */
type Filling = FoundDefinition | Job
type FoundDefinition = Extract<ReadDefinition | DroppedDefinition, { readonly kind: 'read' }>

/** What is typed for a job. It lasts until Slipway quits; nothing of it is written to disk. */
export const useJobDraftStore = defineStore('job-draft', () => {
  const instances = useInstancesStore()
  const ssh = useSshStore()

  const draft = ref<JobDraft>(emptyDraft)
  const template = shallowRef<Template | null>(null)
  const search = shallowRef<SavedSearch | null>(null)
  const plan = shallowRef(reactive(createRetryPlanDraft()))
  /** How the definition would rent; `null`: it doesn't say. */
  const suggested = shallowRef<RentHints | null>(null)
  /** What the last folder or file told. */
  const found = shallowRef<DefinitionFound | null>(null)
  /** The form has the values of a job whose rental isn't known any more. */
  const isRepeat = ref(false)
  /** What would replace what the user typed, until they say whether it may. */
  const replacement = shallowRef<Filling | null>(null)
  /** The fields as they were last filled in or cleared: what differs was typed. */
  let untyped = fields()

  watch(template, (chosen, before) => {
    change({
      templateHashId: chosen?.hash_id ?? null,
      ...(chosen !== null &&
        chosen.id !== before?.id &&
        chosen.recommended_disk_space && { disk: String(chosen.recommended_disk_space) }),
    })
  })

  /** Instances that run, or may soon. */
  const usable = computed(() =>
    (instances.instances ?? []).filter((one) => ['ready', 'booting'].includes(outlookOf(one).kind)),
  )
  const checked = computed(() =>
    checkDraft(draft.value, {
      instanceIds: usable.value.map(({ id }) => id),
      search: search.value,
      plan: plan.value.planWithin(typedNumber(plan.value.cap)),
      isUncapped: plan.value.cap.trim() === '',
      hasKey: (ssh.access?.vaultKey ?? null) !== null,
    }),
  )

  function change(part: Partial<JobDraft>): void {
    draft.value = { ...draft.value, ...part }
  }

  /** What would be lost if the form were filled in anew. Folder and instance are chosen, not typed. */
  function fields(): string {
    const typed = { ...draft.value, folder: null, place: null, instanceId: null }
    const { machines, cap, bootMinutes, giveUpHours } = plan.value
    return JSON.stringify([typed, search.value?.name, machines, cap, bootMinutes, giveUpHours])
  }

  /** Takes what a folder or a file says; what can't be used changes nothing but the folder. */
  function take(read: ReadDefinition | DroppedDefinition): void {
    if (read.kind === 'read') {
      fill(read)
      return
    }
    if ('folder' in read) change({ folder: read.folder })
    found.value = read
  }

  /** Replaces all of the form. If the user typed something into it, they're asked before. */
  function fill(filling: Filling): void {
    replacement.value = filling
    if (fields() === untyped) replace()
  }

  /** The user agrees, or there's nothing to ask. */
  function replace(): void {
    const filling = replacement.value
    if (filling === null) return
    if ('kind' in filling) fillFromDefinition(filling)
    else fillFromJob(filling)
    untyped = fields()
  }

  /** What the user typed stays. */
  function keep(): void {
    replacement.value = null
  }

  /** An instance that is chosen already stays the place. */
  function fillFromDefinition(read: FoundDefinition): void {
    const { place, instanceId } = draft.value
    const { definition, rent } = read
    empty()
    found.value = read
    suggested.value = rent
    change({
      ...draftOfDefinition(definition),
      // Of a file that was dropped nobody knows the folder: the one of before would be another project's.
      folder: 'folder' in read ? read.folder : '',
      instanceId,
    })
    if (rent === null) return
    change({
      place: instanceId === null ? 'rent' : place,
      image: rent.image ?? '',
      disk: String(rent.diskGb),
    })
    search.value = { id: '', name: definitionName, query: rent.search }
    typePlan(rent.limits)
  }

  function fillFromJob({ definition, folder, place }: Job): void {
    empty()
    change({ ...draftOfDefinition(definition), folder, place: place.kind })
    if (place.kind === 'instance') {
      change({ instanceId: place.instanceId })
      return
    }
    isRepeat.value = true
    search.value = { id: '', name: place.searchName, query: place.query }
    typePlan(place.plan)
  }

  function typePlan({ machines, capPerHourUsd, bootMinutes, giveUpAfterMinutes }: RetryPlan): void {
    plan.value.type({
      machines: String(machines),
      cap: capPerHourUsd === null ? '' : String(capPerHourUsd),
      bootMinutes: String(bootMinutes),
      giveUpHours: String(giveUpAfterMinutes / 60),
    })
  }

  /** Begins anew, on an instance if one is given. */
  function begin(instanceId: number | null): void {
    if (instanceId !== null) change({ place: 'instance', instanceId })
    else if (usable.value.length === 1)
      change({ instanceId: draft.value.instanceId ?? usable.value[0]?.id ?? null })
  }

  function empty(): void {
    draft.value = emptyDraft
    template.value = null
    search.value = null
    found.value = null
    suggested.value = null
    isRepeat.value = false
    replacement.value = null
    plan.value = reactive(createRetryPlanDraft())
  }

  function clear(): void {
    empty()
    untyped = fields()
  }

  return {
    draft,
    template,
    search,
    plan,
    found,
    suggested,
    isRepeat,
    replacement,
    usable,
    checked,
    change,
    take,
    begin,
    fill,
    replace,
    keep,
    clear,
  }
})
