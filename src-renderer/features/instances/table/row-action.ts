/** What can be done with one instance. `replace` destroys it and rents the next offer. */
export type RowAction = 'open-terminal' | 'stop' | 'destroy' | 'replace'
