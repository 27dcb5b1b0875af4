import type { ActionKind } from '#domain/instances/instance.ts'

/**
 * What can be done with one instance. `replace` destroys it and rents the next offer; `destroy-and-find` destroys it, then
 * shows what else is on offer.
 */
export type RowAction = ActionKind | 'open-terminal' | 'replace' | 'destroy-and-find'
