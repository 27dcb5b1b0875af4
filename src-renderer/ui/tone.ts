/** How a state is to be taken. `busy` is on its way, `neutral` is neither good nor bad. */
export type Tone = 'good' | 'busy' | 'warning' | 'bad' | 'neutral'

/** A state in a few words, as a StatusBadge shows it. */
export interface Mark {
  readonly tone: Tone
  readonly label: string
  /** In place of the tone's own icon. */
  readonly icon?: string
}

/** A state with what it means. */
export interface Statement {
  readonly tone: Tone
  readonly title: string
  readonly text: string
}

export const toneColor: Readonly<Record<Tone, string>> = {
  good: 'text-success',
  busy: 'text-info',
  warning: 'text-warning',
  bad: 'text-error',
  neutral: 'text-muted',
}

/** The icon of a tone, where a state has none of its own. */
export const toneIcon: Readonly<Record<Tone, string>> = {
  good: 'i-lucide-circle-check',
  busy: 'i-lucide-circle-dashed',
  warning: 'i-lucide-triangle-alert',
  bad: 'i-lucide-circle-x',
  neutral: 'i-lucide-circle-minus',
}
