/** What can be done with one instance. */
export type RowAction = 'open-terminal' | 'stop' | 'destroy'
