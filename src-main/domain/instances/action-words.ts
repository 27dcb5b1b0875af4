import type { ActionKind } from './instance.ts'

/** An action in the forms that sentences and labels need. */
export const actionWords: Readonly<
  Record<ActionKind, { readonly verb: string; readonly does: string; readonly done: string }>
> = {
  stop: { verb: 'Stop', does: 'stops', done: 'stopped' },
  destroy: { verb: 'Destroy', does: 'destroys', done: 'destroyed' },
}
