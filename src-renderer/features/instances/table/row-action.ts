import type { ActionKind } from '#domain/instances/instance.ts'

/** What can be done with one instance. `replace` destroys it and rents the next offer. */
export type RowAction = ActionKind | 'open-terminal' | 'replace'
