import type { AppCommandId } from '#domain/workbench/app-commands.ts'

/** What choosing an entry does: it leads somewhere, and what counts is asked there; a forward costs nothing. */
export type PaletteChoice =
  | { readonly kind: 'go'; readonly to: string }
  | { readonly kind: 'command'; readonly id: AppCommandId }
  | { readonly kind: 'account'; readonly id: string }
  | { readonly kind: 'open-forward' | 'stop-forward'; readonly id: string }

export type PaletteGroup =
  'Pages' | 'Actions' | 'Accounts' | 'Instances' | 'Templates' | 'Saved searches' | 'SSH hosts' | 'Settings'

/** One line of the palette. */
export interface PaletteEntry {
  /** The same in every run, so that what was chosen lately is known again. */
  readonly id: string
  readonly group: PaletteGroup
  readonly label: string
  /** Said beside the label, and searched after it. */
  readonly detail: string
  /** Said after the detail: made for what is shown only, and not searched. */
  readonly more?: () => string
  /** Searched as the detail is, and not shown. */
  readonly words?: string
  readonly icon: string
  readonly keys?: readonly string[]
  readonly choice: PaletteChoice
  /** Why it cannot be used now; without it, it can. */
  readonly blocked?: string | null
  /** What is done with a thing comes after the things themselves, in this order. */
  readonly after?: number
}
