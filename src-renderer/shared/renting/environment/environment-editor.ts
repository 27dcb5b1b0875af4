import { computed, ref, shallowRef, type UnwrapNestedRefs } from 'vue'
import { type EnvItem, envOfItems, readEnvFlags, writeEnvFlags } from '#domain/renting/env-flags.ts'
import {
  type EnvReading,
  type EnvRow,
  type EnvRowContent,
  problemsOf,
  readRow,
  rowOf,
} from '#domain/renting/env-rows.ts'

/**
 * Variables and ports as rows or as flags: two views of one thing, of which the one in sight is edited.
 *
 * @param kept what stands beside them whatever they say, such as a template's
 * @param read what a row means: a template takes more than a request
 */
export function createEnvironmentEditor(
  kept: () => readonly EnvItem[] = () => [],
  read: (row: EnvRowContent) => EnvReading = readRow,
) {
  const view = ref<'rows' | 'flags'>('rows')
  const rows = shallowRef<readonly EnvRow[]>([])
  const flags = ref('')
  let lastId = 0

  function withId(content: EnvRowContent): EnvRow {
    lastId += 1
    return { ...content, id: lastId }
  }

  const readings = computed(() =>
    (view.value === 'rows' ? rows.value : readEnvFlags(flags.value).map(rowOf)).map((row) => read(row)),
  )
  const problems = computed(() => problemsOf(readings.value, kept()))
  /** What can be sent. */
  const items = computed(() =>
    readings.value.flatMap((reading, index) =>
      reading?.item && problems.value[index] === null ? [reading.item] : [],
    ),
  )
  /** What the flags say that cannot be sent, or twice, in words. */
  const flagProblems = computed(() =>
    readEnvFlags(flags.value).flatMap((item, index) => {
      const problem = problems.value[index]
      const text = writeEnvFlags([item])
      return problem === null || problem === undefined ? [] : [{ text, problem }]
    }),
  )
  const isValid = computed(() => problems.value.every((problem) => problem === null))
  const env = computed(() => envOfItems(items.value))

  /** The rows as flags or the other way round; what cannot be sent is carried along as it was written. */
  function show(next: 'rows' | 'flags'): void {
    if (next === view.value) return
    if (next === 'flags') {
      flags.value = writeEnvFlags(
        rows.value.flatMap((row) => (row.kind === 'other' ? [row] : (readRow(row)?.item ?? []))),
      )
    } else setRows(readEnvFlags(flags.value).map(rowOf))
    view.value = next
  }
  /** A row that is wrong cannot be written as a flag, and would be lost on the way. */
  const canShowFlags = computed(() =>
    rows.value.every((row) => row.kind === 'other' || (readRow(row)?.problem ?? null) === null),
  )

  function setRows(contents: readonly EnvRowContent[]): void {
    rows.value = contents.map(withId)
  }
  function setFlags(text: string): void {
    flags.value = text
  }
  function add(content: EnvRowContent): number {
    const row = withId(content)
    rows.value = [...rows.value, row]
    return row.id
  }
  function change(id: number, content: EnvRowContent): void {
    rows.value = rows.value.map((row) => (row.id === id ? { ...content, id } : row))
  }
  function remove(id: number): void {
    rows.value = rows.value.filter((row) => row.id !== id)
  }

  return {
    view,
    rows,
    flags,
    problems,
    flagProblems,
    isValid,
    env,
    canShowFlags,
    show,
    setRows,
    setFlags,
    add,
    change,
    remove,
  }
}

/** As components take it: a store, or `reactive(createEnvironmentEditor())`. */
export type EnvironmentEditing = UnwrapNestedRefs<ReturnType<typeof createEnvironmentEditor>>
