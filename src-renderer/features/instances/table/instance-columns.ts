import { formatLocale } from '#domain/base/format-locale.ts'
import { fieldGroup } from '#domain/fields/field-catalog.ts'
import { fieldOf, fieldText, type Field } from '#domain/fields/field-format.ts'
import type { FiguresSummary } from '#domain/figures/figures-summary.ts'
import { instanceFields } from '#domain/instances/instance-fields.ts'
import { labelOf, modelOf } from '#domain/instances/instance-label.ts'
import type { ListedInstance } from '#domain/instances/listed-instance.ts'
import { startedAtMs } from '#domain/instances/instance-identity.ts'
import { chargeOf, costSoFar } from '#domain/money/money.ts'
import { formatSshAddress } from '#domain/ssh/ssh-address.ts'
import type { SshAddress } from '#domain/ssh/ssh.ts'
import { formatNumber, unknown } from '#ui/format.ts'
import type { ColumnCatalog } from '#ui/table/use-columns.ts'
import { ageText, chargeText, costText, statusLabelOf } from '../instance-line.ts'
import { instanceStatusText } from '../instance-text.ts'

const instance = fieldGroup('Instance')
const price = fieldGroup('Price')
const machine = fieldGroup('Machine')
const net = fieldGroup('Network')
const use = fieldGroup('Use')

/** The columns that are there without asking. Most of them show what Slipway makes of several fields. */
const ownColumns: readonly Field[] = [
  instance.text('state', 'State', { shown: true }),
  instance.integer('id', 'ID', { shown: true }),
  instance.text('label', 'Label', { shown: true }),
  machine.text('gpu_name', 'Model', { shown: true }),
  price.number('charge', 'Charged now', { shown: true }),
  price.number('cost', 'Cost so far', { shown: true }),
  use.number('figures_gpu', 'GPU use', { unit: '%', shown: true }),
  use.number('figures_gpu_memory', 'GPU memory used', { unit: '%' }),
  use.number('figures_disk', 'Fullest disk', { unit: '%' }),
  instance.number('age', 'Age', { shown: true }),
  net.text('address', 'Address', { shown: true }),
]
const ownNames = new Set(ownColumns.map(({ name }) => name))

/** What may be a column of the list: besides Slipway's own columns every field of the service, as it came. */
export const instanceColumns: ColumnCatalog<ListedInstance> = {
  fields: ownColumns,
  present: (instances) => [
    ...ownColumns,
    ...instanceFields
      .present(instances.map(({ record }) => record))
      .filter(({ name }) => !ownNames.has(name)),
  ],
}

/** Of columns whose texts change while one looks at them, or are all digits. In the smallest window costs are in sight. */
export const instanceColumnWidthsPx: Readonly<Record<string, number>> = {
  state: 224,
  id: 84,
  charge: 100,
  cost: 92,
  figures_gpu: 140,
  age: 76,
  address: 176,
}

/** A cell has one line. */
const longestCell = 300

/** What the cells of an instance need besides what is listed of it. */
export interface CellContext {
  /** ms since the epoch */
  readonly now: number
  /** The SSH address that is in use or tried first. */
  readonly addressOf: (listed: ListedInstance) => SshAddress | null
  /** Its figures, where some come. */
  readonly figuresOf: (listed: ListedInstance) => FiguresSummary | undefined
}

/** What figures have for a column; `undefined` for a column of something else. */
function figureOf(name: string, figures: FiguresSummary | undefined): number | null | undefined {
  switch (name) {
    case 'figures_gpu':
      return figures?.gpu ?? null
    case 'figures_gpu_memory':
      return figures?.gpuMemory ?? null
    case 'figures_disk':
      return figures?.disk ?? null
    default:
      return undefined
  }
}

/** Whether a column is of figures: they come and go beside the list, so nothing is found by them. */
export function isFigure({ name }: Field): boolean {
  return figureOf(name, undefined) !== undefined
}

/** What an instance shows in a column. */
export function cellText(
  field: Field,
  listed: ListedInstance,
  { now, addressOf, figuresOf }: CellContext,
): string {
  if (isFigure(field)) return figureText(field, figuresOf(listed))
  switch (field.name) {
    case 'address': {
      const address = addressOf(listed)
      return address === null ? unknown : formatSshAddress(address)
    }
    case 'state':
      return statusLabelOf(listed, now)
    case 'age':
      return ageText(listed, now)
    case 'cost':
      return costText(listed, now)
    default:
      return lastingText(field, listed)
  }
}

function figureText(field: Field, figures: FiguresSummary | undefined): string {
  const value = figureOf(field.name, figures) ?? null
  if (value !== null || field.name !== 'figures_gpu' || figures === undefined) return formatNumber(value)
  return { live: unknown, connecting: 'connecting', 'not-connected': 'not connected' }[figures.kind]
}

const lastingTexts = new WeakMap<
  ListedInstance,
  { readonly locale: string; readonly texts: Map<Field, string> }
>()

/** Texts that change with the list only. They are made once, because what the service says is looked through for secrets. */
function lastingText(field: Field, listed: ListedInstance): string {
  const locale = formatLocale()
  const known = lastingTexts.get(listed)
  const texts = known?.locale === locale ? known.texts : new Map<Field, string>()
  lastingTexts.set(listed, { locale, texts })
  const text = texts.get(field) ?? textOf(field, listed)
  texts.set(field, text)
  return text
}

function textOf(field: Field, listed: ListedInstance): string {
  switch (field.name) {
    case 'id':
      return String(listed.id)
    case 'label':
      return labelOf(listed) ?? unknown
    case 'gpu_name':
      return modelOf(listed.record) ?? unknown
    case 'charge':
      return chargeText(listed)
    default:
      return fieldText(field, listed.record).slice(0, longestCell)
  }
}

/** What an instance is sorted by in the column of a name. */
export function sortValue(
  listed: ListedInstance,
  name: string,
  { now, addressOf, figuresOf }: CellContext,
): unknown {
  const figure = figureOf(name, figuresOf(listed))
  if (figure !== undefined) return figure
  switch (name) {
    case 'state':
      return instanceStatusText(listed).label
    case 'id':
      return listed.id
    case 'label':
      return labelOf(listed)
    case 'age': {
      const startedAt = startedAtMs(listed.record)
      return startedAt === null ? null : now - startedAt
    }
    case 'charge':
      return chargeOf(listed).perHourUsd
    case 'cost':
      return costSoFar(listed, now)?.usd
    case 'address': {
      const address = addressOf(listed)
      return address && formatSshAddress(address)
    }
    default:
      return fieldOf(listed.record, name)
  }
}
