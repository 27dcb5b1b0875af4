import { fieldOf, knownNumber, knownText, type FieldRecord } from '../fields/field-format.ts'
import type { LabelNote } from './listed-instance.ts'

/** The user's own label, else the service's. */
export function labelOf({
  own,
  record,
}: {
  readonly own?: LabelNote | undefined
  readonly record: FieldRecord
}): string | null {
  return own?.label || knownText(fieldOf(record, 'label'))
}

/** What a person calls the machine of an instance: `2 × RTX 4090`. */
export function modelOf(record: FieldRecord): string | null {
  const model = knownText(fieldOf(record, 'gpu_name'))
  const many = knownNumber(fieldOf(record, 'num_gpus'))
  return model === null || many === null ? model : `${many} × ${model}`
}

/** A line of a desktop's notification holds not much more. */
const longestLabel = 40

/** A sentence about an instance, headed by its label: the id alone says little to who gave it a name. */
export function withLabel(sentence: string, label: string | null): string {
  if (label === null) return sentence
  const short = label.length > longestLabel ? `${label.slice(0, longestLabel - 1)}…` : label
  return `${short}: ${sentence}`
}
